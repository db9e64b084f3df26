import type { CreateProject, Page, PatchProject, ProjectImpact, ProjectQuery, ProjectView } from '@medley/contracts';
import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Caller, visibleProjects } from '../access/caller.js';
import { answerRow } from '../rest/answer-row.js';
import { listKind } from '../rest/cursor.js';
import { type Idempotency, onceByKey } from '../rest/idempotency.js';
import { listOrder, pageOfSorted, type SortColumn, type SortedRow } from '../rest/sorted-list.js';
import { insertProject, noSuchProject, readProjectImpact, renameProject } from './projects.repository.js';
import { removeProject } from './remove-project.js';

interface ProjectRow {
  id: string;
  name: string;
}

const projectColumns = 'id, name, former_names as "formerNames", created_at as "createdAt"';
const projectFrom = 'from projects where removed_at is null';
const projectSelect = `select ${projectColumns} ${projectFrom}`;

const sortColumns: Record<string, SortColumn> = {
  name: { sql: 'name', type: 'text' },
  created: { sql: 'created_at', type: 'timestamptz' },
};

@Injectable()
export class ProjectsService {
  private readonly sql: Sql;

  constructor(@Inject(DataSource) private readonly source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  async list(caller: Caller, query: ProjectQuery): Promise<Page<ProjectView>> {
    const kind = listKind('projects', query);
    const order = listOrder(sortColumns, query.sort, { kind, cursor: query.cursor, id: 'id' });
    const rows = await this.sql.query<ProjectRow & SortedRow>(
      `select ${projectColumns}, ${order.select} as "sortText" ${projectFrom} and ($1::uuid[] is null or id = any($1))
         and ($2::text is null or exists (select 1 from unnest(former_names || name) as n(name) where position(lower($2) in n.name) > 0))
         and ${order.after(3, 4)} order by ${order.orderBy} limit $5`,
      [visibleProjects(caller, 'project:read'), query.search ?? null, ...order.position, query.limit + 1],
    );
    return pageOfSorted(rows, query.limit, kind, (row) => projectViewOf(row, caller));
  }

  get(caller: Caller, id: string): Promise<ProjectView> {
    return getProject(this.sql, caller, id);
  }

  impact(id: string): Promise<ProjectImpact> {
    return readProjectImpact(this.sql, id);
  }

  /** Throws name-taken. */
  create(caller: Caller, { name }: CreateProject, idempotency: Idempotency | null): Promise<ProjectView> {
    return inTransaction(this.source, (sql) =>
      onceByKey(sql, idempotency, async () => getProject(sql, caller, (await insertProject(sql, name)).id)),
    );
  }

  /** Throws name-taken. */
  rename(caller: Caller, id: string, { name }: PatchProject): Promise<ProjectView> {
    return inTransaction(this.source, async (sql) => {
      await renameProject(sql, id, name);
      return getProject(sql, caller, id);
    });
  }

  /** Throws project-in-use. */
  remove(id: string, withRuns: boolean): Promise<ProjectImpact> {
    return inTransaction(this.source, (sql) => removeProject(sql, id, withRuns));
  }
}

async function getProject(sql: Sql, caller: Caller, id: string): Promise<ProjectView> {
  const [row] = await sql.query<ProjectRow>(`${projectSelect} and id = $1`, [id]);
  if (!row) throw noSuchProject();
  return projectViewOf(row, caller);
}

function projectViewOf(row: ProjectRow, caller: Caller): ProjectView {
  return { ...answerRow<ProjectView>(row), role: caller.isPlatformAdmin ? 'admin' : caller.roles.get(row.id)! };
}

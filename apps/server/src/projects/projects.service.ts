import type { CreateProject, Page, PatchProject, ProjectImpact, ProjectQuery, ProjectView } from '@medley/contracts';
import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Caller, visibleProjects } from '../access/caller.js';
import { answerRow } from '../rest/answer-row.js';
import { decodeCursor, listKind, pageOfRows } from '../rest/cursor.js';
import { type Idempotency, onceByKey } from '../rest/idempotency.js';
import { insertProject, noSuchProject, readProjectImpact, renameProject } from './projects.repository.js';
import { removeProject } from './remove-project.js';

interface ProjectRow {
  id: string;
  name: string;
}

const projectSelect = 'select id, name, former_names as "formerNames", created_at as "createdAt" from projects where removed_at is null';

@Injectable()
export class ProjectsService {
  private readonly sql: Sql;

  constructor(@Inject(DataSource) private readonly source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  async list(caller: Caller, { limit, cursor, search }: ProjectQuery): Promise<Page<ProjectView>> {
    const kind = listKind('projects', { search });
    const after = decodeCursor(kind, cursor, 1)?.[0] ?? null;
    const rows = await this.sql.query<ProjectRow>(
      `${projectSelect} and ($1::uuid[] is null or id = any($1)) and ($2::text is null or name > $2)
         and ($3::text is null or exists (select 1 from unnest(former_names || name) as n(name) where position(lower($3) in n.name) > 0))
       order by name limit $4`,
      [visibleProjects(caller, 'project:read'), after, search ?? null, limit + 1],
    );
    return pageOfRows(
      rows,
      limit,
      kind,
      (row) => [row.name],
      (row) => projectViewOf(row, caller),
    );
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

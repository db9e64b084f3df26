import { maxVariables, type Page, type PutVariable, type VariableQuery, type VariableUses, type VariableView } from '@medley/contracts';
import { AppError, type FieldError, phrase } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type AskedNames, readNamed } from '../projects/read-named.js';
import { answerRow } from '../rest/answer-row.js';
import { listKind } from '../rest/cursor.js';
import { listOrder, pageOfSorted, type SortColumn, type SortedRow } from '../rest/sorted-list.js';
import { unstorableText } from '../rest/storable-text.js';
import { readWorkflowsNaming } from './workflows-naming.js';

const columns = 'project_id as "projectId", name, value, description, updated_at as "updatedAt"';
const sortColumns: Record<string, SortColumn> = {
  name: { sql: 'name', type: 'text' },
  updated: { sql: 'updated_at', type: 'timestamptz' },
};

/** Texts that the workflows of a project share. Those of another project answer as missing ones do: the guard looks the project up. */
@Injectable()
export class VariablesService {
  private readonly sql: Sql;

  constructor(@Inject(DataSource) private readonly source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  async list(projectId: string, query: VariableQuery): Promise<Page<VariableView>> {
    const kind = listKind('variables', { ...query, projectId });
    const order = listOrder(sortColumns, query.sort, { kind, cursor: query.cursor, id: 'name', idType: 'text' });
    const rows = await this.sql.query<SortedRow>(
      `select ${columns}, name as id, ${order.select} as "sortText" from project_variables where project_id = $1
         and ($2::text is null or position(lower($2) in lower(name)) > 0 or position(lower($2) in lower(description)) > 0)
         and ${order.after(3, 4)} order by ${order.orderBy} limit $5`,
      [projectId, query.search ?? null, ...order.position, query.limit + 1],
    );
    return pageOfSorted(rows, query.limit, kind, ({ id: _, ...row }) => answerRow<VariableView>(row));
  }

  /** Throws validation-failed for a text that cannot be stored, and when the project has too many. */
  put(projectId: string, name: string, { value, description }: PutVariable): Promise<VariableView> {
    const fault: FieldError | null = unstorableText({ value, description });
    if (fault) throw new AppError('validation-failed', `${fault.path}: ${fault.message}`, [fault]);
    return inTransaction(this.source, async (sql) => {
      await sql.query('select id from projects where id = $1 for key share', [projectId]);
      const [row] = await sql.query<object>(
        `insert into project_variables (project_id, name, value, description) values ($1, $2, $3, $4)
         on conflict (project_id, name) do update set value = excluded.value, description = excluded.description, updated_at = clock_timestamp()
         returning ${columns}`,
        [projectId, name, value, description],
      );
      const [{ count } = { count: 0 }] = await sql.query<{ count: number }>(
        'select count(*)::int as count from project_variables where project_id = $1',
        [projectId],
      );
      if (count > maxVariables) throw new AppError('validation-failed', phrase('too-many-variables', { limit: maxVariables }));
      return answerRow<VariableView>(row!);
    });
  }

  async uses(projectId: string, name: string): Promise<VariableUses> {
    await this.require(projectId, name);
    return { name, ...(await readWorkflowsNaming(this.sql, projectId, `variables.${name}`)) };
  }

  /** Throws not-found. */
  async remove(projectId: string, name: string): Promise<void> {
    const removed = await this.sql.query('delete from project_variables where project_id = $1 and name = $2 returning name', [
      projectId,
      name,
    ]);
    if (removed.length === 0) throw noSuchVariable();
  }

  private async require(projectId: string, name: string): Promise<void> {
    const rows = await this.sql.query('select 1 from project_variables where project_id = $1 and name = $2', [projectId, name]);
    if (rows.length === 0) throw noSuchVariable();
  }
}

function noSuchVariable(): AppError {
  return new AppError('not-found', phrase('no-such-variable'));
}

const valuesStatement = `
select v.project_id as "projectId", v.name, v.value from unnest($1::uuid[], $2::text[]) as asked(project_id, name)
join project_variables v on v.project_id = asked.project_id and v.name = asked.name`;

/** The present values of variables, for each who asks; those that are missing are left out. */
export async function readVariablesOf(sql: Sql, asked: readonly AskedNames[]): Promise<Record<string, string>[]> {
  const found = await readNamed<{ projectId: string; name: string; value: string }>(sql, valuesStatement, asked);
  return found.map((own) => Object.fromEntries([...own].map(([name, { value }]) => [name, value])));
}

/** The same for one project. */
export async function readVariables(sql: Sql, projectId: string, names: readonly string[]): Promise<Record<string, string>> {
  return (await readVariablesOf(sql, [{ projectId, names }]))[0]!;
}

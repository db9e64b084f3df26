import type { CreateProject, Page, PageQuery, ProjectView } from '@medley/contracts';
import { AppError } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction, uuidv7 } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isUniqueViolation } from '../database/database-faults.js';
import { answerRow } from '../rest/answer-row.js';
import { decodeCursor, pageOfRows } from '../rest/cursor.js';
import { type Idempotency, onceByKey } from '../rest/idempotency.js';

@Injectable()
export class ProjectsService {
  private readonly sql: Sql;

  constructor(@Inject(DataSource) private readonly source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  async list({ limit, cursor }: PageQuery): Promise<Page<ProjectView>> {
    const after = decodeCursor('projects', cursor, 1)?.[0] ?? null;
    const rows = await this.sql.query<{ name: string }>(
      `select id, name, created_at as "createdAt" from projects where $1::text is null or name > $1 order by name limit $2`,
      [after, limit + 1],
    );
    return pageOfRows(
      rows,
      limit,
      'projects',
      (row) => [row.name],
      (row) => answerRow<ProjectView>(row),
    );
  }

  /** Throws name-taken. */
  async create({ name }: CreateProject, idempotency: Idempotency | null): Promise<ProjectView> {
    try {
      return await inTransaction(this.source, (sql) => onceByKey(sql, idempotency, () => insertProject(sql, name)));
    } catch (error) {
      if (isUniqueViolation(error, 'projects_name_key')) throw new AppError('name-taken', `There is a project named "${name}" already.`);
      throw error;
    }
  }
}

export async function insertProject(sql: Sql, name: string): Promise<ProjectView> {
  const [row] = await sql.query<object>(`insert into projects (id, name) values ($1, $2) returning id, name, created_at as "createdAt"`, [
    uuidv7(),
    name,
  ]);
  return answerRow<ProjectView>(row!);
}

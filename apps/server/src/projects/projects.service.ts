import type { CreateProject, Page, PageQuery, ProjectView } from '@medley/contracts';
import { AppError } from '@medley/core';
import { inTransaction, ProjectEntity, type Sql, uuidv7 } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, MoreThan } from 'typeorm';
import { isUniqueViolation } from '../database/database-faults.js';
import { answerRow } from '../rest/answer-row.js';
import { decodeCursor, pageOfRows } from '../rest/cursor.js';
import { type Idempotency, onceByKey } from '../rest/idempotency.js';

@Injectable()
export class ProjectsService {
  constructor(@Inject(DataSource) private readonly source: DataSource) {}

  async list({ limit, cursor }: PageQuery): Promise<Page<ProjectView>> {
    const after = decodeCursor('projects', cursor, 1)?.[0] ?? null;
    const where = after === null ? {} : { name: MoreThan(after) };
    const rows = await this.source.getRepository(ProjectEntity).find({ where, order: { name: 'ASC' }, take: limit + 1 });
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

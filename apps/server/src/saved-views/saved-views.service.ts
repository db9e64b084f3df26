import { type PutSavedView, SAVED_VIEWS_MAX, type SavedView, type SavedViewList } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction, uuidv7 } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { answerRow } from '../rest/answer-row.js';
import { type Idempotency, onceByKey } from '../rest/idempotency.js';

const columns = 'id, page, name, query, created_at as "createdAt", updated_at as "updatedAt"';
const UNIQUE_VIOLATION = '23505';

/** Views of lists, each of one user alone: another's answer as missing ones do. */
@Injectable()
export class SavedViewsService {
  private readonly sql: Sql;

  constructor(@Inject(DataSource) private readonly source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  async list(userId: string, page: string): Promise<SavedViewList> {
    const rows = await this.sql.query<object>(
      `select ${columns} from saved_views where user_id = $1 and page = $2 order by lower(name), name limit $3`,
      [userId, page, SAVED_VIEWS_MAX],
    );
    return { items: rows.map((row) => answerRow<SavedView>(row)) };
  }

  /** Throws name-taken, and too-many-requests for more than a page shows. */
  create(userId: string, { page, name, query }: PutSavedView, idempotency: Idempotency | null): Promise<SavedView> {
    return inTransaction(this.source, (sql) =>
      onceByKey(sql, idempotency, async () => {
        const [{ count } = { count: 0 }] = await sql.query<{ count: number }>(
          'select count(*)::int as count from saved_views where user_id = $1 and page = $2',
          [userId, page],
        );
        if (count >= SAVED_VIEWS_MAX) throw new AppError('validation-failed', phrase('saved-views-full', { limit: SAVED_VIEWS_MAX }));
        const [row] = await sql.query<object>(
          `insert into saved_views (id, user_id, page, name, query) values ($1, $2, $3, $4, $5)
           on conflict (user_id, page, name) do nothing returning ${columns}`,
          [uuidv7(), userId, page, name, JSON.stringify(query)],
        );
        if (!row) throw nameTaken(name);
        return answerRow<SavedView>(row);
      }),
    );
  }

  /** Throws not-found and name-taken. */
  async put(userId: string, id: string, { page, name, query }: PutSavedView): Promise<SavedView> {
    try {
      const [row] = await this.sql.query<object>(
        `update saved_views set page = $3, name = $4, query = $5, updated_at = clock_timestamp() where id = $1 and user_id = $2 returning ${columns}`,
        [id, userId, page, name, JSON.stringify(query)],
      );
      if (!row) throw missing();
      return answerRow<SavedView>(row);
    } catch (error) {
      if ((error as { code?: string }).code === UNIQUE_VIOLATION) throw nameTaken(name);
      throw error;
    }
  }

  /** Throws not-found. */
  async remove(userId: string, id: string): Promise<void> {
    const removed = await this.sql.query('delete from saved_views where id = $1 and user_id = $2 returning 1', [id, userId]);
    if (removed.length === 0) throw missing();
  }
}

function missing(): AppError {
  return new AppError('not-found', phrase('no-such-saved-view'));
}

function nameTaken(name: string): AppError {
  return new AppError('name-taken', phrase('view-name-taken', { name }));
}

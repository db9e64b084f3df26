import type { CreatedJoinToken, CreateJoinToken, JoinToken, JoinTokenQuery, Page } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction, uuidv7 } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { answerRow } from '../../rest/answer-row.js';
import { listKind } from '../../rest/cursor.js';
import { type Idempotency, onceByKey } from '../../rest/idempotency.js';
import { listOrder, pageOfSorted, type SortColumn, type SortedRow } from '../../rest/sorted-list.js';
import { generateToken, hashToken } from './secrets.js';

const columns = `
j.id, j.pool_id as "poolId", p.name as pool, j.labels, j.declared_speed as "declaredSpeed", j.capacity_cap as "capacityCap",
  j.max_uses as "maxUses", j.uses, j.created_at as "createdAt", j.expires_at as "expiresAt", j.revoked_at as "revokedAt"`;
const from = 'from join_tokens j join pools p on p.id = j.pool_id';

const sortColumns: Record<string, SortColumn> = {
  pool: { sql: 'p.name', type: 'text' },
  uses: { sql: 'j.uses', type: 'int' },
  created: { sql: 'j.created_at', type: 'timestamptz' },
  expires: { sql: `coalesce(j.expires_at, 'infinity')`, type: 'timestamptz' },
};

/** Tokens with which agents join a pool. What they carry (labels, caps, speed) is the operator's word about those nodes. */
@Injectable()
export class JoinTokensService {
  private readonly sql: Sql;

  constructor(@Inject(DataSource) private readonly source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  async list(query: JoinTokenQuery): Promise<Page<JoinToken>> {
    const kind = listKind('join-tokens', query);
    const order = listOrder(sortColumns, query.sort, { kind, cursor: query.cursor, id: 'j.id' });
    const rows = await this.sql.query<SortedRow>(
      `select ${columns}, ${order.select} as "sortText" ${from} where ${order.after(1, 2)} order by ${order.orderBy} limit $3`,
      [...order.position, query.limit + 1],
    );
    return pageOfSorted(rows, query.limit, kind, (row) => answerRow<JoinToken>(row));
  }

  /** Throws idempotency-key-reused for a repetition: the token is shown once. */
  create(body: CreateJoinToken, createdBy: string, idempotency: Idempotency | null): Promise<CreatedJoinToken> {
    return inTransaction(this.source, (sql) => onceByKey(sql, idempotency, () => insertJoinToken(sql, body, createdBy), 'secret'));
  }

  async revoke(id: string): Promise<void> {
    const rows = await this.sql.query(
      'update join_tokens set revoked_at = coalesce(revoked_at, clock_timestamp()) where id = $1 returning id',
      [id],
    );
    if (rows.length === 0) throw new AppError('not-found', phrase('no-such-join-token'));
  }
}

/** Makes a join token for the pool of that name. */
export async function insertJoinToken(sql: Sql, body: CreateJoinToken, createdBy: string | null): Promise<CreatedJoinToken> {
  const token = generateToken('medley_join');
  const [inserted] = await sql.query<{ id: string }>(
    `insert into join_tokens (id, token_hash, pool_id, labels, declared_speed, capacity_cap, max_uses, created_by, expires_at)
     select $1, $2, p.id, $4, $5, $6, $7, $8, clock_timestamp() + make_interval(secs => $9 * 3600) from pools p where p.name = $3 and p.removed_at is null for key share of p
     returning id`,
    [
      uuidv7(),
      hashToken(token),
      body.pool,
      JSON.stringify(body.labels),
      body.declaredSpeed,
      body.capacityCap && JSON.stringify(body.capacityCap),
      body.maxUses,
      createdBy,
      body.expiresInHours,
    ],
  );
  if (!inserted) throw new AppError('not-found', phrase('no-pool-named', { pool: body.pool }));
  const [row] = await sql.query<object>(`select ${columns} ${from} where j.id = $1`, [inserted.id]);
  return { ...answerRow<JoinToken>(row!), token };
}

import {
  type CreatePool,
  type Page,
  type PatchPool,
  type PoolPolicy,
  type PoolQuery,
  type PoolView,
  poolPolicySchema,
} from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction, uuidv7 } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isUniqueViolation } from '../database/database-faults.js';
import { answerRow } from '../rest/answer-row.js';
import { listKind } from '../rest/cursor.js';
import { type Idempotency, onceByKey } from '../rest/idempotency.js';
import { listOrder, pageOfSorted, type SortColumn, type SortedRow } from '../rest/sorted-list.js';
import { WakeBus } from '../wake/wake-bus.js';
import { removePool } from './remove-pool.js';

interface PoolRow {
  name: string;
  policy: unknown;
}

const poolSelect = `
select p.id, p.name, p.policy, n.node_count as "nodeCount", n.online_count as "onlineCount", p.created_at as "createdAt",
  (select count(*)::int from task_runs t where t.pool_id = p.id and t.state in ('ready', 'blocked')) as "waitingCount"
from pools p
cross join lateral (
  select count(*)::int as node_count, (count(*) filter (where state = 'online'))::int as online_count from nodes where pool_id = p.id and removed_at is null
) n
where p.removed_at is null`;

const sortColumns: Record<string, SortColumn> = {
  name: { sql: 'p.name', type: 'text' },
  nodes: { sql: 'p."nodeCount"', type: 'int' },
  waiting: { sql: 'p."waitingCount"', type: 'int' },
  created: { sql: 'p."createdAt"', type: 'timestamptz' },
};

@Injectable()
export class PoolsService {
  private readonly sql: Sql;

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  async list(query: PoolQuery): Promise<Page<PoolView>> {
    const kind = listKind('pools', query);
    const order = listOrder(sortColumns, query.sort, { kind, cursor: query.cursor, id: 'p.id' });
    const rows = await this.sql.query<PoolRow & SortedRow>(
      `select p.*, ${order.select} as "sortText" from (${poolSelect}) p where ($1::text is null or position(lower($1) in p.name) > 0)
         and ${order.after(2, 3)} order by ${order.orderBy} limit $4`,
      [query.search ?? null, ...order.position, query.limit + 1],
    );
    return pageOfSorted(rows, query.limit, kind, poolViewOf);
  }

  /** Throws not-found. */
  get(id: string): Promise<PoolView> {
    return getPool(this.sql, id);
  }

  /** Throws name-taken. */
  async create(body: CreatePool, idempotency: Idempotency | null): Promise<PoolView> {
    try {
      const pool = await inTransaction(this.source, (sql) => onceByKey(sql, idempotency, () => insertPool(sql, body)));
      this.wakeBus.changed([{ entity: 'pool', id: pool.id }]);
      return pool;
    } catch (error) {
      if (isUniqueViolation(error, 'pools_name')) throw new AppError('name-taken', phrase('pool-name-taken', { name: body.name }));
      throw error;
    }
  }

  /** From the next turn on. A selector's memory belongs to its policy and begins anew when the selector changes. */
  async patch(id: string, { policy }: PatchPool): Promise<PoolView> {
    const rows = await this.sql.query(
      `update pools set policy = $2::jsonb, selector_state = case when policy->>'selector' = $2::jsonb->>'selector' then selector_state else '{}' end
       where id = $1 and removed_at is null returning id`,
      [id, JSON.stringify(policy)],
    );
    if (rows.length === 0) throw new AppError('not-found', phrase('no-such-pool'));
    this.wakeBus.place();
    this.wakeBus.changed([{ entity: 'pool', id }]);
    return this.get(id);
  }

  /** Its name is free again; what ran in it stays. Throws not-found, and pool-in-use while anything needs it. */
  async remove(id: string): Promise<void> {
    await inTransaction(this.source, (sql) => removePool(sql, id));
    this.wakeBus.changed([{ entity: 'pool', id }]);
  }
}

async function getPool(sql: Sql, id: string): Promise<PoolView> {
  const [row] = await sql.query<PoolRow>(`${poolSelect} and p.id = $1`, [id]);
  if (!row) throw new AppError('not-found', phrase('no-such-pool'));
  return poolViewOf(row);
}

async function insertPool(sql: Sql, { name, policy }: CreatePool): Promise<PoolView> {
  const id = uuidv7();
  await sql.query('insert into pools (id, name, policy) values ($1, $2, $3)', [id, name, JSON.stringify(policy)]);
  return getPool(sql, id);
}

function poolViewOf(row: PoolRow): PoolView {
  const policy: PoolPolicy = poolPolicySchema.parse(row.policy);
  return { ...answerRow<PoolView>(row), policy };
}

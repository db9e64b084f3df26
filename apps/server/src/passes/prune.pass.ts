import { inTransaction, type Sql, uuidv7LowerBound } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { PassResult } from './pass-runner.js';

const DAYS_AHEAD = 3;
const DAY_MS = 86_400_000;
const LOCK_CLASS = 7_236_003;

/** Keeps a log partition for today and the days ahead, and drops expired sessions and idempotency keys. */
@Injectable()
export class PrunePass {
  constructor(@Inject(DataSource) private readonly source: DataSource) {}

  async run(): Promise<PassResult> {
    await inTransaction(this.source, async (sql) => {
      const [lock] = await sql.query<{ held: boolean }>('select pg_try_advisory_xact_lock($1, 0) as held', [LOCK_CLASS]);
      if (!lock!.held) return;
      await createLogPartitions(sql);
      await sql.query('delete from sessions where expires_at < clock_timestamp()');
      await sql.query(`delete from idempotency_keys where created_at < clock_timestamp() - interval '2 days'`);
    });
    return {};
  }
}

/** Days for which rows are in the default partition already are left to it. */
async function createLogPartitions(sql: Sql): Promise<void> {
  const [clock] = await sql.query<{ ms: string }>('select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms');
  const today = Math.floor(Number(clock!.ms) / DAY_MS) * DAY_MS;
  for (let day = 0; day <= DAYS_AHEAD; day++) {
    const fromMs = today + day * DAY_MS;
    const from = uuidv7LowerBound(fromMs);
    const to = uuidv7LowerBound(fromMs + DAY_MS);
    const name = `log_chunks_${new Date(fromMs).toISOString().slice(0, 10).replaceAll('-', '')}`;
    const [taken] = await sql.query<{ taken: boolean }>(
      `select to_regclass($1) is not null or exists (select 1 from log_chunks_rest where attempt_id >= $2::uuid and attempt_id < $3::uuid) as taken`,
      [name, from, to],
    );
    if (!taken!.taken) await sql.query(`create table ${name} partition of log_chunks for values from ('${from}') to ('${to}')`);
  }
}

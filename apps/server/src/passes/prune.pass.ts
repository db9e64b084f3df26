import { maxUpstreamDaysBack, upstreamPatienceDays } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction, uuidv7LowerBound } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { createAuditPartitions, dropOldAudit } from '../audit/audit-partitions.js';
import { ServerConfig } from '../config.js';
import { addPartition, isInUse, waitBrieflyForLocks } from '../database/add-partition.js';
import type { PassResult } from './pass-runner.js';
import { removeOldBackfills, removeOldRuns } from './run-retention.js';

const DAYS_AHEAD = 3;
const DAY_MS = 86_400_000;
const LOCK_CLASS = 7_236_003;

/** Actions on many runs are shown to who began them; what they did is in the audit. */
export const RUN_BULK_DAYS = 14;
export const IDEMPOTENCY_KEY_DAYS = 2;
/** Longer than a signature is good for, so that no id is forgotten while its delivery could still come again. */
export const WEBHOOK_DELIVERY_DAYS = 14;

/** As long as any date may need them, and a day for the zones. Dates themselves are kept: one that has fired never does again. */
export const ARRIVAL_DAYS = maxUpstreamDaysBack + upstreamPatienceDays + 1;

// What a schedule needs of itself is of its own dates, which may lie any time apart; it is a row a date.
const oldArrivals = `
delete from upstream_arrivals a where day < current_date - $1::int
  and not exists (select 1 from schedule_upstreams u join schedules s on s.id = u.schedule_id
    where u.schedule_id = a.schedule_id and u.is_self and s.removed_at is null)`;

/** Rows per delete, so that no statement holds locks for long. */
const BATCH = 10_000;

/**
 * Keeps partitions of logs and of the audit for today and the time ahead, drops those of logs that the archive pass has emptied, and what has expired: sessions,
 * idempotency keys, ended actions on many runs, the history of placement, old months of the audit, and runs if they are not kept for ever.
 */
@Injectable()
export class PrunePass {
  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(ServerConfig) private readonly config: ServerConfig,
  ) {}

  async run(): Promise<PassResult> {
    await this.createPartitions(createLogPartitions);
    await this.createPartitions(createAuditPartitions);
    const again = await this.alone(async (sql) => {
      await sql.query('delete from sessions where expires_at < clock_timestamp()');
      await sql.query(`delete from idempotency_keys where created_at < clock_timestamp() - interval '${IDEMPOTENCY_KEY_DAYS} days'`);
      await sql.query(`delete from run_bulks where finished_at < clock_timestamp() - interval '${RUN_BULK_DAYS} days'`);
      await sql.query(`delete from webhook_deliveries where received_at < clock_timestamp() - interval '${WEBHOOK_DELIVERY_DAYS} days'`);
      await sql.query(oldArrivals, [ARRIVAL_DAYS]);
      const { runRetentionDays } = this.config;
      if (runRetentionDays !== null) await removeOldBackfills(sql, runRetentionDays * 86_400);
      return dropPlacementHistory(sql, this.config.placementHistoryDays);
    });
    for (const name of await pastLogPartitions(this.source)) await dropIfEmpty(this.source, name);
    await dropOldAudit(this.source, this.config.auditRetentionDays);
    const { runRetentionDays } = this.config;
    const moreRuns = runRetentionDays !== null && (await removeOldRuns(this.source, runRetentionDays * 86_400));
    return { again: again === true || moreRuns };
  }

  /** They are made days ahead, so that those which cannot be attached now wait for the next hour. */
  private async createPartitions(create: (sql: Sql) => Promise<void>): Promise<void> {
    try {
      await this.alone(async (sql) => {
        await waitBrieflyForLocks(sql);
        await create(sql);
      });
    } catch (error) {
      if (!isInUse(error)) throw error;
    }
  }

  /** In a transaction of the only server that prunes now; null when that is another one. */
  private alone<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result | null> {
    return inTransaction(this.source, async (sql) => {
      const [lock] = await sql.query<{ held: boolean }>('select pg_try_advisory_xact_lock($1, 0) as held', [LOCK_CLASS]);
      return lock!.held ? work(sql) : null;
    });
  }
}

/**
 * Decisions and turns are ranges of ids by time. A turn's id is younger than those of its attempts, so decisions go first and no decision is left without its
 * turn. Returns whether there is more to drop.
 */
async function dropPlacementHistory(sql: Sql, days: number): Promise<boolean> {
  const [clock] = await sql.query<{ ms: string }>(
    'select (extract(epoch from clock_timestamp() - make_interval(days => $1)) * 1000)::bigint as ms',
    [days],
  );
  const bound = uuidv7LowerBound(Number(clock!.ms));
  const decisions = await sql.query(
    `delete from placement_decisions where attempt_id in (select attempt_id from placement_decisions where attempt_id < $1 order by attempt_id limit $2) returning 1`,
    [bound, BATCH],
  );
  if (decisions.length >= BATCH) return true;
  const turns = await sql.query(
    'delete from placement_turns where id in (select id from placement_turns where id < $1 order by id limit $2) returning 1',
    [bound, BATCH],
  );
  return turns.length >= BATCH;
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
    if (!taken!.taken) await addPartition(sql, { parent: 'log_chunks', name, from, to, isCurrent: day === 0 });
  }
}

/** Days that are over and whose partition seems to be empty. */
async function pastLogPartitions(source: DataSource): Promise<string[]> {
  const sql = sqlOutsideTransaction(source);
  const rows = await sql.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'log_chunks'::regclass and c.relname ~ '^log_chunks_[0-9]{8}$'
       and to_date(right(c.relname, 8), 'YYYYMMDD') < (clock_timestamp() at time zone 'UTC')::date - 1 order by 1`,
  );
  const empty: string[] = [];
  for (const { name } of rows) {
    const [chunk] = await sql.query(`select 1 from ${name} limit 1`);
    if (!chunk) empty.push(name);
  }
  return empty;
}

/**
 * Every chunk has been archived or was past retention. Looks again under the lock, which keeps all writers of logs waiting: for so short a time that one in
 * use is left to the next hour. What is still written for that day goes to the default partition.
 */
async function dropIfEmpty(source: DataSource, name: string): Promise<void> {
  try {
    await inTransaction(source, async (sql) => {
      await waitBrieflyForLocks(sql);
      await sql.query('lock table only log_chunks in access exclusive mode');
      await sql.query(`lock table ${name} in access exclusive mode`);
      const [chunk] = await sql.query(`select 1 from ${name} limit 1`);
      if (!chunk) await sql.query(`drop table ${name}`);
    });
  } catch (error) {
    if (!isInUse(error)) throw error;
  }
}

import { inTransaction, type Sql, uuidv7LowerBound } from '@medley/database';
import type { DataSource } from 'typeorm';
import { addPartition, isInUse, waitBrieflyForLocks } from '../database/add-partition.js';

/** Rows per delete. */
const BATCH = 10_000;

/** Makes the partitions of this month and the next. A month of which rows are in the default partition already is left to it. */
export async function createAuditPartitions(sql: Sql): Promise<void> {
  const now = new Date(await clockMs(sql));
  for (const offset of [0, 1]) {
    const fromMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset);
    const from = uuidv7LowerBound(fromMs);
    const to = uuidv7LowerBound(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset + 1));
    const name = `audit_events_${new Date(fromMs).toISOString().slice(0, 7).replace('-', '')}`;
    const [taken] = await sql.query<{ taken: boolean }>(
      'select to_regclass($1) is not null or exists (select 1 from audit_events_rest where id >= $2::uuid and id < $3::uuid) as taken',
      [name, from, to],
    );
    if (!taken!.taken) await addPartition(sql, { parent: 'audit_events', name, from, to, isCurrent: offset === 0 });
  }
}

/**
 * Drops the months that are over for longer than events are kept, and what is as old in the default partition. Dropping keeps all writers waiting: for so short
 * a time that a month in use is left to the next turn.
 */
export async function dropOldAudit(source: DataSource, retentionDays: number): Promise<void> {
  const { months, bound } = await inTransaction(source, async (sql) => {
    const boundMs = (await clockMs(sql)) - retentionDays * 86_400_000;
    return { months: await monthsBefore(sql, boundMs), bound: uuidv7LowerBound(boundMs) };
  });
  for (const name of months) await dropMonth(source, name);
  await inTransaction(source, (sql) =>
    sql.query('delete from audit_events_rest where id in (select id from audit_events_rest where id < $1 order by id limit $2)', [
      bound,
      BATCH,
    ]),
  );
}

/** The beginnings of the months that `dropOldAudit` would drop, the oldest first. */
export async function oldAuditMonths(sql: Sql, retentionDays: number): Promise<Date[]> {
  const names = await monthsBefore(sql, (await clockMs(sql)) - retentionDays * 86_400_000);
  return names.map((name) => new Date(Date.UTC(Number(name.slice(-6, -2)), Number(name.slice(-2)) - 1)));
}

async function monthsBefore(sql: Sql, boundMs: number): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'audit_events'::regclass and c.relname ~ '^audit_events_[0-9]{6}$' order by 1`,
  );
  return rows.map(({ name }) => name).filter((name) => endOfMonthMs(name) <= boundMs);
}

function endOfMonthMs(name: string): number {
  return Date.UTC(Number(name.slice(-6, -2)), Number(name.slice(-2)));
}

async function dropMonth(source: DataSource, name: string): Promise<void> {
  try {
    await inTransaction(source, async (sql) => {
      await waitBrieflyForLocks(sql);
      await sql.query('lock table only audit_events in access exclusive mode');
      await sql.query(`drop table ${name}`);
    });
  } catch (error) {
    if (!isInUse(error)) throw error;
  }
}

async function clockMs(sql: Sql): Promise<number> {
  const [clock] = await sql.query<{ ms: string }>('select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms');
  return Number(clock!.ms);
}

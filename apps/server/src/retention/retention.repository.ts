import type { RetentionItem, RetentionKind } from '@medley/contracts';
import { type Sql, uuidv7LowerBound } from '@medley/database';
import { oldAuditMonths } from '../audit/audit-partitions.js';
import type { ServerConfig } from '../config.js';
import { KEPT_DAYS } from '../history/node-samples.repository.js';
import { IDEMPOTENCY_KEY_DAYS, RUN_BULK_DAYS, WEBHOOK_DELIVERY_DAYS } from '../passes/prune.pass.js';
import { oldBackfills, oldRuns } from '../passes/run-retention.js';

const MOST_COUNTED = 100_000;
const DAY_SECONDS = 86_400;

interface Due {
  kind: RetentionKind;
  keepSeconds: number;
  /** A statement that yields `at` of what is due; `$1` is `keepSeconds`, `$2` an id of that age. */
  text: string;
  /** Its parameters behind those two. */
  more?: unknown[];
}

const before = `clock_timestamp() - make_interval(secs => $1)`;
const timeOf = (id: string) => `to_timestamp(('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint / 1000.0)`;

/** Attempts that have chunks, found by skipping from one to the next in the primary key; only those older than `$2`. */
const withChunks = `with recursive ids as (
  (select attempt_id from log_chunks where attempt_id < $2 order by attempt_id limit 1)
  union all select (select c.attempt_id from log_chunks c where c.attempt_id > ids.attempt_id and c.attempt_id < $2 order by c.attempt_id limit 1)
  from ids where ids.attempt_id is not null)`;

function dueOf(config: ServerConfig): Due[] {
  const logSeconds = config.logRetentionDays * DAY_SECONDS;
  return [
    {
      kind: 'logs-to-archive',
      keepSeconds: config.logArchiveAfterHours * 3600,
      text: `${withChunks} select a.finished_at as at from ids join attempts a on a.id = ids.attempt_id
        where a.finished_at < ${before} and a.finished_at >= clock_timestamp() - make_interval(secs => $3)`,
      more: [logSeconds],
    },
    {
      kind: 'logs-to-remove',
      keepSeconds: logSeconds,
      text: `${withChunks}, logs as (select attempt_id from log_archives where expired_at is null and attempt_id < $2 union select attempt_id from ids)
        select a.finished_at as at from logs join attempts a on a.id = logs.attempt_id where a.finished_at < ${before}`,
    },
    {
      kind: 'placement-decisions',
      keepSeconds: config.placementHistoryDays * DAY_SECONDS,
      text: `select ${timeOf('attempt_id')} as at from placement_decisions where attempt_id < $2 and $1::float8 is not null order by attempt_id`,
    },
    { kind: 'node-samples', keepSeconds: KEPT_DAYS * DAY_SECONDS, text: `select at from node_samples where at < ${before} order by at` },
    {
      kind: 'run-bulks',
      keepSeconds: RUN_BULK_DAYS * DAY_SECONDS,
      text: `select finished_at as at from run_bulks where finished_at < ${before}`,
    },
    {
      kind: 'webhook-deliveries',
      keepSeconds: WEBHOOK_DELIVERY_DAYS * DAY_SECONDS,
      text: `select received_at as at from webhook_deliveries where received_at < ${before}`,
    },
    {
      kind: 'idempotency-keys',
      keepSeconds: IDEMPOTENCY_KEY_DAYS * DAY_SECONDS,
      text: `select created_at as at from idempotency_keys where created_at < ${before}`,
    },
    { kind: 'sessions', keepSeconds: 0, text: `select expires_at as at from sessions where expires_at < ${before}` },
  ];
}

async function countDue(sql: Sql, nowMs: number, { kind, keepSeconds, text, more = [] }: Due): Promise<RetentionItem> {
  const bound = text.includes('$2') ? [uuidv7LowerBound(nowMs - keepSeconds * 1000)] : [];
  const [row] = await sql.query<{ count: number; oldest: Date | null }>(
    `select count(*)::int as count, min(at) as oldest from (${text} limit ${MOST_COUNTED + 1}) due`,
    [keepSeconds, ...bound, ...more],
  );
  const { count, oldest } = row!;
  return { kind, keepSeconds, count: Math.min(count, MOST_COUNTED), isMore: count > MOST_COUNTED, oldestAt: oldest?.toISOString() ?? null };
}

async function countMonths(sql: Sql, days: number): Promise<RetentionItem> {
  const months = await oldAuditMonths(sql, days);
  return {
    kind: 'audit-months',
    keepSeconds: days * DAY_SECONDS,
    count: months.length,
    isMore: false,
    oldestAt: months[0]?.toISOString() ?? null,
  };
}

/** What is due to be archived and removed, each kind by the rule of the pass that does it; runs as if they were kept for `runDays`. */
export async function readRetention(sql: Sql, config: ServerConfig, runDays: number | null): Promise<RetentionItem[]> {
  const [clock] = await sql.query<{ ms: string }>('select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms');
  const items: RetentionItem[] = [];
  for (const due of dueOf(config)) items.push(await countDue(sql, Number(clock!.ms), due));
  items.push(
    runDays === null
      ? { kind: 'runs', keepSeconds: null, count: 0, isMore: false, oldestAt: null }
      : await countDue(sql, Number(clock!.ms), { kind: 'runs', keepSeconds: runDays * DAY_SECONDS, text: oldRuns }),
    runDays === null
      ? { kind: 'backfills', keepSeconds: null, count: 0, isMore: false, oldestAt: null }
      : await countDue(sql, Number(clock!.ms), { kind: 'backfills', keepSeconds: runDays * DAY_SECONDS, text: oldBackfills }),
    await countMonths(sql, config.auditRetentionDays),
  );
  return items;
}

import { query, type Stack, waitFor } from '@medley/testing';
import { percentile } from '../statistics/percentile.js';
import { insertSchedules, rulesAt } from './insert-schedules.js';

/** Between the insertion and the tick: the passes find new schedules by themselves within five seconds. */
const AHEAD_SECONDS = 12;
/** After the tick without a further run before what is missing counts as lost. */
const QUIET_SECONDS = 15;
const TIMEOUT_MS = 300_000;

export interface Tick {
  due: number;
  fired: number;
  lost: number;
  doubled: number;
  lateMsP50: number;
  lateMsP99: number;
  /** From the tick to the creation of the last run. */
  allFiredMs: number;
  /** From the tick to the end of the last run. */
  allEndedMs: number;
  runsSucceeded: number;
}

interface FireRow extends Record<string, unknown> {
  runs: number;
  lateMs: number;
  endedMs: number;
  succeeded: number;
}

const firesQuery = `
select count(r.id)::int as runs, min(extract(epoch from r.created_at - r.fire_at) * 1000)::float8 as "lateMs",
  max(extract(epoch from r.finished_at - r.fire_at) * 1000)::float8 as "endedMs", count(*) filter (where r.state = 'succeeded')::int as succeeded
from schedules s left join runs r on r.schedule_id = s.id where s.workflow_id = $1 and s.name like 'due-%' group by s.id`;

/** Lets so many schedules come due in one second and waits until their runs have ended. */
export async function measureTick(stack: Stack, workflowId: string, due: number): Promise<Tick> {
  const at = await tickInstant(stack.databaseUrl);
  await insertSchedules(stack.databaseUrl, { workflowId, prefix: 'due-', count: due, rules: rulesAt(at), at, spreadSeconds: 0 });
  await waitUntilSettled(stack.databaseUrl, workflowId, due, at);
  const rows = await query<FireRow>(stack.databaseUrl, firesQuery, [workflowId]);
  const fired = rows.filter((row) => row.runs > 0);
  const late = fired.map((row) => row.lateMs);
  return {
    due,
    fired: fired.length,
    lost: due - fired.length,
    doubled: rows.filter((row) => row.runs > 1).length,
    lateMsP50: percentile(late, 0.5),
    lateMsP99: percentile(late, 0.99),
    allFiredMs: Math.max(...late),
    allEndedMs: Math.max(...fired.map((row) => row.endedMs)),
    runsSucceeded: rows.reduce((sum, row) => sum + row.succeeded, 0),
  };
}

/** A full second by the clock of the database, which the servers go by. */
async function tickInstant(databaseUrl: string): Promise<Date> {
  const [row] = await query<{ at: Date }>(databaseUrl, `select date_trunc('second', clock_timestamp()) + make_interval(secs => $1) as at`, [
    AHEAD_SECONDS,
  ]);
  return row?.at as Date;
}

/** All have their run and all runs have ended, or nothing has happened for so long after the tick that nothing will. */
async function waitUntilSettled(databaseUrl: string, workflowId: string, due: number, at: Date): Promise<void> {
  const progressQuery = `
    select count(*)::int as runs, count(*) filter (where finished_at is not null)::int as ended,
      coalesce(extract(epoch from clock_timestamp() - greatest(max(created_at), max(finished_at), $2::timestamptz)), 0)::float8 as quiet
    from runs where workflow_id = $1`;
  let seen: unknown;
  await waitFor(
    async () => {
      const [row] = await query<{ runs: number; ended: number; quiet: number }>(databaseUrl, progressQuery, [workflowId, at.toISOString()]);
      seen = row;
      return row !== undefined && ((row.runs >= due && row.ended >= due && row.quiet > 2) || row.quiet > QUIET_SECONDS);
    },
    { timeoutMs: TIMEOUT_MS, pollMs: 500, describe: () => `the runs of the tick to end; last seen ${JSON.stringify(seen)}` },
  );
}

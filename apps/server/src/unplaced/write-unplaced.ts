import type { Sql } from '@medley/database';
import { POOL_REMOVAL_LOCK } from '../pools/remove-pool.js';
import { endedTaskRuns, runsAccepting } from '../runs/state-lists.js';
import type { StoredReason, UnplacedStep, UnplacedTaskRun } from './unplaced.types.js';

export interface DecidedTaskRun {
  taskRun: UnplacedTaskRun;
  step: Exclude<UnplacedStep, { to: 'stay' | 'start-child' }>;
  /** The run that it has started. */
  childRunId?: string;
}

/** A pool that was removed since the run began; what was to go there fails. */
const poolIsGone: StoredReason = { code: 'pool-removed', text: 'Its pool was removed while it waited.' };

/** Writes steps of task runs of one run; each is one that the state tables allow. Whatever began makes the run one that runs. */
export async function writeUnplaced(sql: Sql, decided: readonly DecidedTaskRun[]): Promise<DecidedTaskRun[]> {
  const pools = await poolIds(sql, decided);
  const steps = decided.map((each) => withPool(each, pools));
  const began = steps.some(({ step }) => step.to !== 'placeable' && step.to !== 'skipped');
  const runId = decided[0]!.taskRun.run.id;
  if (began)
    await sql.query(
      `update runs set state = 'running', started_at = clock_timestamp() where id = $1 and state in ${runsAccepting('start')}`,
      [runId],
    );
  const column = <Value>(value: (each: DecidedTaskRun) => Value) => steps.map(value);
  await sql.query(
    `update task_runs t set state = s.state, reason = s.reason, pool_id = s.pool_id, child_run_id = coalesce(s.child_run_id, t.child_run_id), tries = coalesce(s.tries, t.tries),
       retry_at = clock_timestamp() + make_interval(secs => s.retry_in),
       next_look_at = clock_timestamp() + make_interval(secs => s.look_in),
       started_at = case when s.state in ('running', 'succeeded', 'failed') then coalesce(t.started_at, clock_timestamp()) else t.started_at end,
       finished_at = case when s.state in ${endedTaskRuns} then clock_timestamp() end
     from unnest($1::uuid[], $2::text[], $3::jsonb[], $4::uuid[], $5::float8[], $6::uuid[], $7::int[], $8::float8[]) as s(id, state, reason, pool_id, look_in, child_run_id, tries, retry_in) where t.id = s.id`,
    [
      column(({ taskRun }) => taskRun.id),
      column(({ step }) => (step.to === 'placeable' ? 'ready' : step.to)),
      column(({ step }) => ('reason' in step && step.reason ? JSON.stringify(step.reason) : null)),
      column(({ taskRun, step }) => (step.to === 'placeable' ? pools.get(taskRun.task.pool)! : null)),
      column(({ step }) => ('lookInSeconds' in step ? step.lookInSeconds : null)),
      column(({ childRunId }) => childRunId ?? null),
      column(({ step }) => ('tries' in step ? (step.tries ?? null) : null)),
      column(({ step }) => ('retryInSeconds' in step ? step.retryInSeconds : null)),
    ],
  );
  return steps;
}

async function poolIds(sql: Sql, decided: readonly DecidedTaskRun[]): Promise<Map<string, string>> {
  const names = decided.flatMap(({ step, taskRun }) => (step.to === 'placeable' ? [taskRun.task.pool] : []));
  if (names.length === 0) return new Map();
  await sql.query('select pg_advisory_xact_lock_shared($1)', [POOL_REMOVAL_LOCK]);
  const rows = await sql.query<{ id: string; name: string }>('select id, name from pools where removed_at is null and name = any($1)', [
    [...new Set(names)],
  ]);
  return new Map(rows.map(({ id, name }) => [name, id]));
}

function withPool(each: DecidedTaskRun, pools: ReadonlyMap<string, string>): DecidedTaskRun {
  const lost = each.step.to === 'placeable' && !pools.has(each.taskRun.task.pool);
  return lost ? { ...each, step: { to: 'failed', reason: poolIsGone } } : each;
}

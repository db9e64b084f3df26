import { holdsNoSlot, type LoopSpec, untilRoots } from '@medley/contracts';
import {
  AppError,
  type Expression,
  evaluateExpression,
  lookUpIn,
  type Outputs,
  parseExpression,
  phrase,
  type TaskRunState,
} from '@medley/core';
import { type Sql, uuidv7 } from '@medley/database';
import { isStopped } from '../settlement/run-stops.js';
import { readIterationOutputs } from '../task-runs/task-results.js';
import { poolIdOf } from './begin-map.js';
import { readContext } from './read-context.js';
import type { StoredReason, UnplacedStep, UnplacedTaskRun } from './unplaced.types.js';

interface Iteration {
  id: string;
  item: number;
  state: TaskRunState;
  reason: StoredReason | null;
  ended: boolean;
}

/** It is looked at again when its iteration has ended. */
const goesOn: UnplacedStep = { to: 'running', reason: null, lookInSeconds: null };

/**
 * A repeated task: its first iteration begins at once, each further one when the one before has succeeded without `until` holding of what it gave. The task ends with the last iteration, and
 * gives what that gave.
 */
export async function runLoop(sql: Sql, taskRun: UnplacedTaskRun, loop: LoopSpec): Promise<UnplacedStep> {
  if (taskRun.state === 'ready') {
    await insertIteration(sql, taskRun, loop, 0);
    return goesOn;
  }
  const last = await readLast(sql, taskRun);
  if (!last?.ended) return goesOn;
  await keepOutputs(sql, taskRun, last);
  const end = endOf(last);
  if (end !== null) return end;
  const iterations = last.item + 1;
  if (await holds(sql, taskRun, loop, last)) {
    const text = `Its condition held after ${iterations} iterations.`;
    return { to: 'succeeded', reason: { code: 'loop-ended', text, values: { iterations } } };
  }
  if (iterations >= loop.max) return { to: loop.onMax === 'succeed' ? 'succeeded' : 'failed', reason: exhausted(loop) };
  if (isStopped(taskRun.run, taskRun.task)) return { to: 'cancelled', reason: runCancelled };
  await insertIteration(sql, taskRun, loop, iterations);
  return goesOn;
}

const runCancelled: StoredReason = { code: 'cancelled', text: 'the run was cancelled', explanation: phrase('run-was-cancelled') };

function exhausted({ max, until }: LoopSpec): StoredReason {
  const text = `It was repeated ${max} times, which is the most, and its condition did not hold: ${until}`;
  return { code: 'loop-max', text, values: { max, until } };
}

/** How the task ends by an iteration that did not succeed, or whose end was decided from outside; null where it may go on. */
function endOf({ item, state, reason }: Iteration): UnplacedStep | null {
  if (reason?.code === 'marked' || reason?.code === 'deadline') return { to: state as 'succeeded' | 'failed' | 'skipped', reason };
  if (state === 'succeeded') return null;
  if (state === 'cancelled') return { to: 'cancelled', reason };
  if (state === 'skipped') return { to: 'skipped', reason };
  const why = reason === null ? '' : `: ${reason.text}`;
  return {
    to: 'failed',
    reason: { code: 'iteration-failed', text: `Iteration ${item + 1} failed${why}`, values: { iteration: item + 1 } },
  };
}

async function readLast(sql: Sql, { run, workflow, task }: UnplacedTaskRun): Promise<Iteration | undefined> {
  const [row] = await sql.query<Iteration>(
    `select id, item, state, reason, finished_at is not null as ended from task_runs where run_id = $1 and position = $2 and item >= 0 order by item desc limit 1`,
    [run.id, workflow.positionOf(task.key)],
  );
  return row;
}

/** What the last iteration gave is what the task gives, however it ends. */
async function keepOutputs(sql: Sql, { id, fence }: UnplacedTaskRun, last: Iteration): Promise<void> {
  await sql.query(
    `insert into task_outputs (task_run_id, fence, outputs) select $1, $2, o.outputs from task_runs i join task_outputs o on o.task_run_id = i.id and o.fence = i.fence where i.id = $3
     on conflict (task_run_id, fence) do update set outputs = excluded.outputs`,
    [id, fence, last.id],
  );
}

async function holds(sql: Sql, taskRun: UnplacedTaskRun, { until }: LoopSpec, { item }: Iteration): Promise<boolean> {
  const expression = readExpression(until);
  const iteration = { ...taskRun, item: { index: item, value: null } };
  const context = await readContext(sql, iteration, expression.references);
  const outputs: Outputs = await readIterationOutputs(sql, taskRun.run.id, taskRun.workflow.positionOf(taskRun.task.key), item);
  const value = evaluateExpression(expression, lookUpIn({ ...context, outputs }));
  if (typeof value !== 'boolean') throw new AppError('reference-invalid', phrase('until-not-boolean', { until }));
  return value;
}

function readExpression(source: string): Expression {
  const parsed = parseExpression(source, untilRoots);
  if (!parsed.ok) throw new AppError('reference-invalid', parsed.faults[0]!.text);
  return parsed.expression;
}

// The deadline of the task is one for all iterations together: it goes from one to the next. Before its turn an iteration rests as a retry does, or until its run goes on.
const insertStatement = `
insert into task_runs (id, run_id, task_key, position, state, reason, pool_id, shape_hash, priority, rank, expected_seconds, timeout_seconds, ready_at, retry_at, deadline_at, parent_id, item)
select $2, t.run_id, t.task_key, t.position, s.state, case when s.state = 'retry-wait' then $6::jsonb end, $5, t.shape_hash, t.priority, t.rank, t.expected_seconds, t.timeout_seconds,
  clock_timestamp(), case when $4::float8 > 0 then clock_timestamp() + make_interval(secs => $4::float8) end, coalesce(t.deadline_at, p.deadline_at), t.id, $3
from task_runs t join runs r on r.id = t.run_id
cross join lateral (select case when r.state = 'paused' then 'paused' when $4::float8 > 0 then 'retry-wait' else 'ready' end as state) s
left join task_runs p on p.run_id = t.run_id and p.position = t.position and p.item = $3::int - 1 and p.item >= 0
where t.id = $1`;

async function insertIteration(sql: Sql, { id, run, task }: UnplacedTaskRun, { delaySeconds, max }: LoopSpec, item: number): Promise<void> {
  const poolId = holdsNoSlot(task) ? null : await poolIdOf(sql, task.pool);
  const rests: StoredReason = { code: 'loop-rests', text: `It rests before iteration ${item + 1}.`, values: { iteration: item + 1 } };
  await sql.query(insertStatement, [id, uuidv7(), item, item === 0 ? 0 : delaySeconds, poolId, JSON.stringify(rests)]);
  await sql.query('update task_runs set deadline_at = null where id = $1', [id]);
  await sql.query(
    `insert into task_parts as p (task_run_id, total, begun, at_most) values ($1, 1, 1, $2)
     on conflict (task_run_id) do update set total = p.total + 1, begun = p.begun + 1`,
    [id, max],
  );
  await sql.query('update runs set open_tasks = open_tasks + 1 where id = $1', [run.id]);
}

import type { Reason } from '@medley/contracts';
import {
  type AttemptEvent,
  type AttemptState,
  decideAfterFailure,
  inEnglish,
  isTerminalTaskRunState,
  maxFailures,
  nextAttemptState,
  nextTaskRunState,
  type Phrase,
  phrase,
  type RetryPolicy,
  sayPhrase,
  type TaskRunState,
} from '@medley/core';
import { roundTrip, type Sql } from '@medley/database';
import { releaseReservations } from '../runs/release-reservations.js';
import { endedTaskRuns } from '../runs/state-lists.js';
import { isStopped } from './run-stops.js';
import type { AttemptEnding, LearnedRuntime, LockedRun, Mark, Settled } from './settlement.types.js';
import type { WorkflowSpecs } from './workflow-specs.js';

export interface AttemptRow {
  id: string;
  task_run_id: string;
  run_id: string;
  node_id: string;
  fence: number;
  state: AttemptState;
  stop_reason: 'cancelled' | 'timed_out' | null;
  task_key: string;
  task_state: TaskRunState;
  task_fence: number;
  tries: number;
  lost_count: number;
  /** How the task run ends once its attempt has, whatever that made of it. */
  mark: Mark | null;
  parent_id: string | null;
}

interface AttemptEnd {
  row: AttemptRow;
  ending: AttemptEnding;
  state: AttemptState;
}

interface TaskStep {
  row: AttemptRow;
  run: LockedRun;
  state: TaskRunState;
  tries: number;
  lostCount: number;
  retryInSeconds: number | null;
  reason: Reason | null;
}

/**
 * `written` settles when the statements given here have been carried out: later ones need not wait for it, the commit does. `release` gives the reservations
 * back; it locks nodes and comes after every other statement.
 */
export interface SettledAttempts extends Omit<Settled, 'finishedRuns'> {
  written: Promise<unknown>;
  release: () => Promise<unknown>;
}

const lockStatement = `
select a.id, a.task_run_id, a.run_id, a.node_id, a.fence, a.state, a.stop_reason, t.task_key, t.state as task_state, t.fence as task_fence, t.tries, t.lost_count, t.mark, t.parent_id
from task_runs t join attempts a on a.task_run_id = t.id
where a.id = any($1) order by a.id for update of a`;

const lockTaskRuns = 'select id from task_runs where id in (select task_run_id from attempts where id = any($1)) order by id for update';

/**
 * Locks the task runs of attempts, then these attempts together with `others` whose task runs stay as they are: all in the order of ids, so that no two
 * transactions wait for each other. The runs have to be locked before.
 */
export async function lockAttempts(sql: Sql, attemptIds: readonly string[], others: readonly string[] = []): Promise<AttemptRow[]> {
  const ids = new Set(attemptIds);
  const [, rows] = await roundTrip([
    sql.query(lockTaskRuns, [[...ids]]),
    sql.query<AttemptRow>(lockStatement, [[...new Set([...ids, ...others])]]),
  ]);
  return rows.filter(({ id }) => ids.has(id));
}

/**
 * Ends attempts: their states, their reservations and what follows for their task runs (success, retry, failure). The runs and the rows are locked already. An ending
 * whose attempt is terminal, or whose fence is not the task run's, changes nothing for the task run.
 */
export async function settleAttempts(
  sql: Sql,
  runs: ReadonlyMap<string, LockedRun>,
  rows: readonly AttemptRow[],
  endings: readonly AttemptEnding[],
  specs: WorkflowSpecs,
  random: () => number,
): Promise<SettledAttempts> {
  const byAttempt = new Map(endings.map((ending) => [ending.attemptId, ending]));
  const ends = rows.flatMap((row) => endOf(row, byAttempt.get(row.id)!));
  if (ends.length === 0)
    return {
      ended: [],
      readied: [],
      retrying: [],
      learned: [],
      attempts: [],
      written: Promise.resolve(),
      release: () => Promise.resolve(),
    };
  const steps: TaskStep[] = [];
  const learned: LearnedRuntime[] = [];
  for (const end of ends) {
    const run = runs.get(end.row.run_id)!;
    const { task } = await specs.load(sql, run.workflowId, run.workflowVersion);
    const spec = task(end.row.task_key);
    const step = stepOf(end, run, { retry: spec.retry, stops: isStopped(run, spec) }, random);
    if (end.state === 'succeeded' && end.ending.runSeconds !== null && spec.kind !== 'noop')
      learned.push(learn(end, run, end.ending.runSeconds));
    if (step) steps.push(step);
  }
  const written = roundTrip([writeAttempts(sql, ends), writeSteps(sql, steps), writeOutputs(sql, ends)]);
  written.catch(() => {}); // told by whoever waits for it
  const id = ({ row }: TaskStep) => ({ runId: row.run_id, taskRunId: row.task_run_id });
  return {
    ended: steps
      .filter(({ state }) => isTerminalTaskRunState(state))
      .map(({ row, run, state }) => ({ run, taskRunId: row.task_run_id, key: row.task_key, state, parentId: row.parent_id })),
    readied: steps.filter(({ state }) => state === 'ready').map(id),
    retrying: steps.filter(({ state }) => state === 'retry-wait').map((step) => ({ ...id(step), projectId: step.run.projectId })),
    learned,
    attempts: ends.map(({ row }) => ({
      attemptId: row.id,
      runId: row.run_id,
      projectId: runs.get(row.run_id)!.projectId,
      nodeId: row.node_id,
    })),
    written,
    release: () => release(sql, ends),
  };
}

function release(sql: Sql, ends: readonly AttemptEnd[]): Promise<unknown> {
  const attemptIds = ends.map(({ row }) => row.id);
  return roundTrip([releaseReservations(sql, attemptIds), countFailures(sql, ends)]);
}

function learn({ row }: AttemptEnd, run: LockedRun, runSeconds: number): LearnedRuntime {
  return { workflowId: run.workflowId, taskKey: row.task_key, nodeId: row.node_id, runSeconds };
}

/** The attempt's final state, or nothing when it has one already. Work that was to be stopped ends as what it was stopped for, never as a success. */
function endOf(row: AttemptRow, ending: AttemptEnding): AttemptEnd[] {
  let outcome = ending.outcome;
  if (row.state === 'stopping' && outcome !== 'lost') outcome = row.stop_reason ?? 'cancelled';
  else if (row.state === 'running' && outcome === 'cancelled') outcome = 'lost'; // nobody ordered it: the agent gave it up at the end of its lease
  const event: Record<AttemptEnding['outcome'], AttemptEvent> = {
    succeeded: 'succeed',
    failed: 'fail',
    timed_out: 'time-out',
    cancelled: 'cancel',
    lost: 'lose',
  };
  const state = nextAttemptState(row.state, event[outcome]);
  return state === null ? [] : [{ row, ending, state }];
}

function stepOf(
  { row, ending, state }: AttemptEnd,
  run: LockedRun,
  { retry, stops }: { retry: RetryPolicy; stops: boolean },
  random: () => number,
): TaskStep | null {
  if (row.fence !== row.task_fence) return null;
  const lost = state === 'lost' ? 1 : 0;
  const step = { row, run, tries: row.tries + 1 - lost, lostCount: row.lost_count + lost, retryInSeconds: null, reason: null };
  const move = (event: Parameters<typeof nextTaskRunState>[1]) => nextTaskRunState(row.task_state, event);
  if (row.mark) return finish(step, move(`mark-${row.mark.state}`), row.mark.reason);
  if (state === 'succeeded') return finish(step, move('succeed'), null);
  if (state === 'cancelled' || stops) return finish(step, move(state === 'failed' ? 'fail' : 'cancel'), null);
  const decision = decideAfterFailure({
    outcome: state as 'failed' | 'timed_out' | 'lost',
    attemptNumber: step.tries + step.lostCount,
    lostCount: step.lostCount,
    retry,
    random: random(),
  });
  const explanation = tellEnd(state, ending);
  const text = inEnglish(explanation);
  if (!decision.retry) return finish(step, move('fail'), { code: state, text, explanation });
  const waiting = move('retry');
  if (waiting === null) return null;
  const retryInSeconds = decision.jittered > 0 ? decision.jittered : null;
  if (run.state === 'paused') return { ...step, state: move('await-resume')!, retryInSeconds };
  if (retryInSeconds !== null) return { ...step, state: waiting, retryInSeconds, reason: { code: 'retry-wait', text, explanation } };
  return finish(step, nextTaskRunState(waiting, 'release'), null);
}

function finish(step: Omit<TaskStep, 'state'>, state: TaskRunState | null, reason: TaskStep['reason']): TaskStep | null {
  return state === null ? null : { ...step, state, reason };
}

function tellEnd(state: AttemptState, { detail, explanation, signal, exitCode }: AttemptEnding): Phrase {
  const why = knownPhrase(explanation) ?? (detail ? phrase('as-told', { text: detail }) : null);
  if (state === 'timed_out') return why ? phrase('ended-timed-out-because', { why }) : phrase('ended-timed-out');
  if (state === 'lost') return phrase('ended-lost', { why: why ?? phrase('node-silent') });
  if (why) return why;
  return signal ? phrase('ended-by-signal', { signal }) : phrase('ended-with-exit-code', { code: exitCode ?? '–' });
}

/** An agent of another version may tell what this server has no words for; its English stands for that. */
function knownPhrase(explanation: AttemptEnding['explanation']): Phrase | null {
  return explanation && sayPhrase(explanation, 'en') !== null ? (explanation as Phrase) : null;
}

/** A node that loses attempts gets fewer for a while where the pool's selector takes failures in (smooth weighted round robin); other selectors never take them off. */
async function countFailures(sql: Sql, ends: readonly AttemptEnd[]): Promise<void> {
  const lost = ends.filter(({ state }) => state === 'lost');
  if (lost.length === 0) return;
  await sql.query(
    `with lost as (select node_id, count(*)::int as count from unnest($1::uuid[]) as l(node_id) group by node_id),
     locked as (select node_id from node_usage where node_id in (select node_id from lost) order by node_id for update)
     update node_usage u set failures = least(u.failures + l.count, ${maxFailures}) from lost l join locked k on k.node_id = l.node_id where u.node_id = l.node_id`,
    [lost.map(({ row }) => row.node_id)],
  );
}

async function writeAttempts(sql: Sql, ends: readonly AttemptEnd[]): Promise<void> {
  await sql.query(
    `update attempts a set state = e.state, exit_code = e.exit_code, signal = e.signal, detail = e.detail, explanation = e.explanation::jsonb, finished_at = clock_timestamp(),
       next_send_at = null, pull_from = null, report_sequence = greatest(a.report_sequence, e.sequence),
       started_at = case when e.started then coalesce(a.started_at, clock_timestamp()) else a.started_at end
     from unnest($1::uuid[], $2::text[], $3::int[], $4::text[], $5::text[], $6::int[], $7::bool[], $8::text[])
       as e(id, state, exit_code, signal, detail, sequence, started, explanation) where a.id = e.id`,
    [
      ends.map(({ row }) => row.id),
      ends.map(({ state }) => state),
      ends.map(({ ending }) => ending.exitCode),
      ends.map(({ ending }) => ending.signal),
      ends.map(({ ending }) => ending.detail),
      ends.map(({ ending }) => ending.report?.sequence ?? 0),
      ends.map(({ ending }) => ending.report?.started ?? false),
      ends.map(({ ending }) => (ending.explanation ? JSON.stringify(ending.explanation) : null)),
    ],
  );
}

/** What an attempt gave counts if its end does, whatever that is: a task that failed may tell those that need its failure. */
async function writeOutputs(sql: Sql, ends: readonly AttemptEnd[]): Promise<void> {
  const giving = ends.filter(({ ending }) => ending.outputs !== undefined);
  if (giving.length === 0) return;
  await sql.query(
    `insert into task_outputs (task_run_id, fence, outputs) select * from unnest($1::uuid[], $2::int[], $3::jsonb[]) on conflict do nothing`,
    [
      giving.map(({ row }) => row.task_run_id),
      giving.map(({ row }) => row.fence),
      giving.map(({ ending }) => JSON.stringify(ending.outputs)),
    ],
  );
}

async function writeSteps(sql: Sql, steps: readonly TaskStep[]): Promise<void> {
  if (steps.length === 0) return;
  const lostOn = (step: TaskStep) => (step.lostCount > step.row.lost_count ? step.row.node_id : null);
  await sql.query(
    `update task_runs t set state = s.state, tries = s.tries, lost_count = s.lost_count, reason = s.reason,
       avoid_node_ids = case when s.lost_on is null then t.avoid_node_ids else array_append(array_remove(t.avoid_node_ids, s.lost_on), s.lost_on) end,
       retry_at = case when s.state in ('retry-wait', 'paused') then clock_timestamp() + make_interval(secs => s.retry_in) end,
       ready_at = case when s.state = 'ready' then clock_timestamp() else t.ready_at end,
       finished_at = case when s.state in ${endedTaskRuns} then clock_timestamp() end
     from unnest($1::uuid[], $2::text[], $3::int[], $4::int[], $5::jsonb[], $6::uuid[], $7::float8[])
       as s(id, state, tries, lost_count, reason, lost_on, retry_in) where t.id = s.id`,
    [
      steps.map(({ row }) => row.task_run_id),
      steps.map(({ state }) => state),
      steps.map(({ tries }) => tries),
      steps.map(({ lostCount }) => lostCount),
      steps.map(({ reason }) => (reason ? JSON.stringify(reason) : null)),
      steps.map(lostOn),
      steps.map(({ retryInSeconds }) => retryInSeconds),
    ],
  );
}

import { evaluateChildren, evaluateReadiness, isTerminalTaskRunState, parentsOf, type TaskRunState } from '@medley/core';
import { roundTrip, type Sql } from '@medley/database';
import { finishRuns } from '../runs/finish-runs.js';
import { endedTaskRuns } from '../runs/state-lists.js';
import { advanceParts } from './advance-parts.js';
import { groupBy } from './group-by.js';
import { areFinalsDue, openFinals } from './open-finals.js';
import type { RunProgress } from './run-progress.js';
import { isStopped } from './run-stops.js';
import type { EndedTask, LockedRun, Settled } from './settlement.types.js';
import type { LoadedWorkflow, WorkflowSpecs } from './workflow-specs.js';
import { type WrittenDecisions, writeDecisions } from './write-decisions.js';

/** With more unknown parents than this, one probe for a parent that has not ended comes before reading them all. */
const PROBE_ABOVE = 32;

export interface AdvanceOptions {
  /** The ended tasks are not among `runs.open_tasks` any more. */
  counted?: boolean;
  /** Statements that lock nodes: they go last, so that placement waits for them as short as possible. */
  lastly?: () => Promise<unknown>;
}

/**
 * Evaluates what stands behind tasks that just ended: children become ready or skipped, skips go on to their children, and a run without open tasks ends. The
 * runs are locked by this transaction; what it concludes is in `progress` only after the caller remembers it.
 */
export async function advanceRuns(
  sql: Sql,
  ended: readonly EndedTask[],
  specs: WorkflowSpecs,
  progress: RunProgress,
  { counted = false, lastly }: AdvanceOptions = {},
): Promise<Pick<Settled, 'ended' | 'readied' | 'finishedRuns'>> {
  const further: EndedTask[] = [];
  const readied: Settled['readied'] = [];
  const closing = new Map<string, ClosingRun>();
  const note = (behind: WrittenDecisions) => {
    further.push(...behind.skipped);
    readied.push(...behind.readied);
    return behind.skipped.length;
  };
  for (const [runId, all] of groupBy(ended, (task) => task.run.id)) {
    const { run } = all[0]!;
    const parts = await advanceParts(
      sql,
      run,
      specs,
      all.filter(({ parentId }) => parentId),
    );
    further.push(...parts.parents);
    readied.push(...parts.readied);
    const tasks = [...all.filter(({ parentId }) => !parentId), ...parts.parents];
    let count = (counted ? 0 : all.length) + parts.parents.length + parts.skipped;
    count += note(await advanceRun(sql, run, tasks, specs, progress));
    const finals = counted ? 0 : await endedFinals(sql, run, tasks, specs);
    const opened = areFinalsDue({ ...run, finalTasks: run.finalTasks - finals }, count);
    if (opened) count += note(await openFinals(sql, run, specs));
    closing.set(runId, { run, count, finals: opened ? run.finalTasks : finals });
  }
  const [done] = await roundTrip([closeTasks(sql, [...closing.values()]), lastly?.() ?? Promise.resolve()]);
  const finished = await finishRuns(sql, done);
  const finishedRuns = finished.map(({ id, isAwaited, hasArrived, isPart }) => ({
    ...closing.get(id)!.run,
    isAwaited,
    hasArrived,
    isPart,
  }));
  return { ended: further, readied, finishedRuns };
}

/** How many of a run's task runs ended, and how many of its final tasks wait for the others no longer. */
interface ClosingRun {
  run: LockedRun;
  count: number;
  finals: number;
}

/** Final tasks that were ended while they still waited for all others: nobody counts on them any more. */
async function endedFinals(sql: Sql, run: LockedRun, ended: readonly EndedTask[], specs: WorkflowSpecs): Promise<number> {
  if (run.finalTasks === 0) return 0;
  const { task } = await specs.load(sql, run.workflowId, run.workflowVersion);
  return ended.filter(({ key }) => task(key).isFinal).length;
}

/** Takes ended tasks off their runs' counters; returns the runs that have none left. */
async function closeTasks(sql: Sql, closing: readonly ClosingRun[]): Promise<string[]> {
  if (closing.length === 0) return [];
  const rows = await sql.query<{ id: string; open_tasks: number }>(
    `update runs r set open_tasks = r.open_tasks - c.count, final_tasks = r.final_tasks - c.finals
     from unnest($1::uuid[], $2::int[], $3::int[]) as c(id, count, finals) where r.id = c.id returning r.id, r.open_tasks`,
    [closing.map(({ run }) => run.id), closing.map(({ count }) => count), closing.map(({ finals }) => finals)],
  );
  return rows.filter((row) => row.open_tasks <= 0).map((row) => row.id);
}

/** In a run that is being cancelled only final tasks go on, unless they are cancelled as well. */
async function advanceRun(
  sql: Sql,
  run: LockedRun,
  ended: readonly EndedTask[],
  specs: WorkflowSpecs,
  progress: RunProgress,
): Promise<WrittenDecisions> {
  const workflow = await specs.load(sql, run.workflowId, run.workflowVersion);
  const states = new Map(progress.of(run.id));
  for (const task of ended) states.set(task.key, task.state);
  const skipped: EndedTask[] = [];
  const readied: Settled['readied'] = [];
  // While final tasks wait for all others, what is behind one that was ended before its time waits with them.
  const goesOn = (key: string) => !isStopped(run, workflow.task(key)) && !(run.finalTasks > 0 && workflow.task(key).isFinal);
  let frontier = ended.map((task) => task.key).filter(goesOn);
  while (frontier.length > 0) {
    const decidable = await loadParents(sql, run, workflow, frontier, states);
    for (const key of decidable) states.set(key, 'waiting');
    const decisions = evaluateChildren(workflow.dag, states, frontier);
    for (const key of decidable) states.delete(key);
    const written = await writeDecisions(sql, run, workflow, decisions);
    readied.push(...written.readied);
    skipped.push(...written.skipped);
    for (const { key } of written.skipped) states.set(key, 'skipped');
    frontier = written.skipped.map(({ key }) => key);
  }
  return { skipped, readied };
}

/** Completes `states` with the parents of the frontier's children and returns the children that may be decided now. They count as waiting; the write checks. */
async function loadParents(
  sql: Sql,
  run: LockedRun,
  workflow: LoadedWorkflow,
  frontier: readonly string[],
  states: Map<string, TaskRunState>,
): Promise<string[]> {
  const children = new Set(frontier.flatMap((key) => workflow.dag.children.get(key) ?? []).filter((key) => !states.has(key)));
  const decidable: string[] = [];
  const unknown = new Set<string>();
  for (const child of children) {
    const task = workflow.dag.tasks.get(child)!;
    const missing = parentsOf(task).filter((parent) => !states.has(parent));
    const undecided = missing.length > PROBE_ABOVE && evaluateReadiness(task, states) === 'wait';
    if (undecided && (await anyOpen(sql, run, workflow, missing))) continue;
    decidable.push(child);
    for (const parent of missing) unknown.add(parent);
  }
  if (unknown.size > 0) {
    const rows = await sql.query<{ task_key: string; state: TaskRunState }>(
      'select task_key, state from task_runs where run_id = $1 and position = any($2) and item = -1',
      [run.id, [...unknown].map(workflow.positionOf)],
    );
    for (const row of rows) if (isTerminalTaskRunState(row.state)) states.set(row.task_key, row.state);
  }
  return decidable;
}

async function anyOpen(sql: Sql, run: LockedRun, workflow: LoadedWorkflow, keys: readonly string[]): Promise<boolean> {
  const rows = await sql.query(
    `select 1 from task_runs where run_id = $1 and position = any($2) and item = -1 and state not in ${endedTaskRuns} limit 1`,
    [run.id, keys.map(workflow.positionOf)],
  );
  return rows.length > 0;
}

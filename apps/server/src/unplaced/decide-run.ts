import { type AppError, isTerminalTaskRunState } from '@medley/core';
import type { Sql } from '@medley/database';
import { createRuns } from '../runs/create-runs.js';
import { finishRuns } from '../runs/finish-runs.js';
import { lockRuns } from '../settlement/lock-runs.js';
import type { Settlement } from '../settlement/settlement.js';
import type { EndedTask, Settled } from '../settlement/settlement.types.js';
import type { WorkflowSpecs } from '../settlement/workflow-specs.js';
import { decideUnplaced } from './decide-unplaced.js';
import { lockUnplaced } from './read-unplaced.js';
import type { UnplacedStep, UnplacedTaskRun } from './unplaced.types.js';
import { type DecidedTaskRun, writeUnplaced } from './write-unplaced.js';

/** What was decided, with what the caller has to tell after its commit. */
export interface DecidedRun {
  settled: Settled;
  placeable: number;
  watched: boolean;
  retrying: boolean;
  /** Something has begun that has parts: they may be placed, decided, or wait for a time. */
  begun: boolean;
  /** A run has succeeded at once that a schedule may wait for. */
  arrived: boolean;
  started: { id: string; projectId: string }[];
}

/** Takes the next step of these task runs of a run, and what follows from their ends. The transaction must hold no row lock yet. */
export async function decideUnplacedOf(sql: Sql, settlement: Settlement, runId: string, ids: readonly string[]): Promise<DecidedRun> {
  const run = (await lockRuns(sql, 'runs', [runId])).get(runId);
  const taskRuns = run ? await lockUnplaced(sql, run, settlement.specs, ids) : [];
  const steps: { taskRun: UnplacedTaskRun; step: UnplacedStep }[] = [];
  for (const taskRun of taskRuns) steps.push({ taskRun, step: await decideUnplaced(sql, taskRun, settlement.specs) });
  const { decided, started, arrived } = await startChildren(sql, settlement.specs, steps);
  const written = decided.length > 0 ? await writeUnplaced(sql, decided) : [];
  const settled = await settlement.endTaskRuns(sql, written.flatMap(endedOf));
  return {
    settled,
    placeable: written.filter(({ step }) => step.to === 'placeable').length,
    watched: written.some(
      ({ taskRun, step }) => step.to === 'blocked' && taskRun.task.waitFor !== undefined && taskRun.task.waitFor.kind !== 'time',
    ),
    begun: written.some(({ step }) => step.to === 'running'),
    retrying: written.some(({ step }) => step.to === 'retry-wait'),
    arrived,
    started,
  };
}

/** All runs that these steps start, at once: their keys are locked in one order. What cannot be started fails its task, and nothing else. */
async function startChildren(
  sql: Sql,
  specs: WorkflowSpecs,
  steps: readonly { taskRun: UnplacedTaskRun; step: UnplacedStep }[],
): Promise<Pick<DecidedRun, 'started' | 'arrived'> & { decided: DecidedTaskRun[] }> {
  const runs = steps.flatMap(({ step }) => (step.to === 'start-child' ? [step.run] : []));
  const { created, refused } = await createRuns(sql, specs, runs);
  const arrived = await finishContinued(
    sql,
    created.map(({ id }) => id),
    runs.some(({ rerunOf }) => rerunOf !== undefined),
  );
  const children = new Map(created.map(({ parentTaskRunId, id }) => [parentTaskRunId, id]));
  const faults = new Map(refused.map(({ run, error }) => [run.parent!.taskRunId, error]));
  const decided = steps.flatMap(({ taskRun, step }): DecidedTaskRun[] => {
    if (step.to === 'stay') return [];
    if (step.to !== 'start-child') return [{ taskRun, step }];
    const childRunId = children.get(taskRun.id);
    if (childRunId === undefined) return [{ taskRun, step: { to: 'failed', reason: reasonOf(faults.get(taskRun.id)) } }];
    return [{ taskRun, step: { to: 'running', reason: null, lookInSeconds: null }, childRunId }];
  });
  return { decided, started: created, arrived };
}

/** What was kept may leave nothing to do. Returns whether a schedule may wait for one of those that ended. */
async function finishContinued(sql: Sql, ids: readonly string[], someAreContinued: boolean): Promise<boolean> {
  return someAreContinued && (await finishRuns(sql, ids)).some(({ hasArrived }) => hasArrived);
}

function reasonOf(fault: AppError | undefined) {
  if (fault === undefined) throw new Error('a run of a sub-workflow was neither created nor refused');
  return { code: fault.code, text: fault.detail, ...(fault.phrase && { explanation: fault.phrase }) };
}

function endedOf({ taskRun, step }: DecidedTaskRun): EndedTask[] {
  if (step.to === 'placeable' || !isTerminalTaskRunState(step.to)) return [];
  const { run, id: taskRunId, task, parentId } = taskRun;
  return [{ run, taskRunId, key: task.key, state: step.to, ...(parentId === null ? {} : { parentId }) }];
}

import { isTerminalTaskRunState } from '@medley/core';
import type { Sql } from '@medley/database';
import { lockRuns } from '../settlement/lock-runs.js';
import type { Settlement } from '../settlement/settlement.js';
import type { EndedTask, Settled } from '../settlement/settlement.types.js';
import { decideUnplaced } from './decide-unplaced.js';
import { lockUnplaced } from './read-unplaced.js';
import { type DecidedTaskRun, writeUnplaced } from './write-unplaced.js';

/** Takes the next step of these task runs of a run, and what follows from their ends. The transaction must hold no row lock yet. */
export async function decideUnplacedOf(
  sql: Sql,
  settlement: Settlement,
  runId: string,
  ids: readonly string[],
): Promise<{ settled: Settled; placeable: number; watched: boolean }> {
  const run = (await lockRuns(sql, 'runs', [runId])).get(runId);
  const taskRuns = run ? await lockUnplaced(sql, run, settlement.specs, ids) : [];
  const decided: DecidedTaskRun[] = [];
  for (const taskRun of taskRuns) {
    const step = await decideUnplaced(sql, taskRun);
    if (step.to !== 'stay') decided.push({ taskRun, step });
  }
  const written = decided.length > 0 ? await writeUnplaced(sql, decided) : [];
  const settled = await settlement.endTaskRuns(sql, written.flatMap(endedOf));
  return {
    settled,
    placeable: written.filter(({ step }) => step.to === 'placeable').length,
    watched: written.some(({ taskRun, step }) => step.to === 'blocked' && taskRun.task.waitFor?.kind === 'http'),
  };
}

function endedOf({ taskRun, step }: DecidedTaskRun): EndedTask[] {
  if (step.to === 'placeable' || !isTerminalTaskRunState(step.to)) return [];
  return [{ run: taskRun.run, taskRunId: taskRun.id, key: taskRun.task.key, state: step.to }];
}

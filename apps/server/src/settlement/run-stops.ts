import type { TaskSpec } from '@medley/contracts';
import type { LockedRun } from './settlement.types.js';

/** Whether a task's run is being cancelled and the task with it; final tasks go on, unless they were cancelled as well. */
export function isStopped(run: Pick<LockedRun, 'state' | 'finalsCancelled'>, { isFinal }: Pick<TaskSpec, 'isFinal'>): boolean {
  return run.state === 'cancelling' && (!isFinal || run.finalsCancelled);
}

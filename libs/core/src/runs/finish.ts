import type { RunEvent } from './run-states.js';
import { isTerminalTaskRunState, type TaskRunState } from './task-run-states.js';

export type FinalRunState = 'succeeded' | 'failed' | 'cancelled';

/**
 * How a run ends, or null while a task run has not ended. A cancelled task makes a run that was being cancelled `cancelled`, even
 * when others failed; when the cancellation came too late to stop anything, the run ends as its tasks did. Otherwise any failure
 * fails the run, whether or not another task reacted to it. Skipped tasks do not count.
 */
export function finalRunState(taskRuns: Iterable<TaskRunState>, cancelling: boolean): FinalRunState | null {
  let failed = false;
  let cancelled = false;
  for (const state of taskRuns) {
    if (!isTerminalTaskRunState(state)) return null;
    if (state === 'failed') failed = true;
    if (state === 'cancelled') cancelled = true;
  }
  if (cancelled && cancelling) return 'cancelled';
  if (failed) return 'failed';
  return cancelled ? 'cancelled' : 'succeeded';
}

/** The run event that leads to a final state. */
export function endingEvent(state: FinalRunState): RunEvent {
  const events = { succeeded: 'succeed', failed: 'fail', cancelled: 'end-cancelled' } as const;
  return events[state];
}

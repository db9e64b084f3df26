import type { TaskRunState } from '@medley/core';

const MAX_RUNS = 500;

/**
 * Terminal task states of active runs, as far as this process has seen them committed. Terminal states are immutable, so an entry is never wrong, only
 * missing; it saves reading the parents of a wide fan-in again and again.
 */
export class RunProgress {
  private readonly runs = new Map<string, Map<string, TaskRunState>>();

  /** Ended tasks of a run by key; may lack some. */
  of(runId: string): ReadonlyMap<string, TaskRunState> {
    return this.runs.get(runId) ?? new Map();
  }

  /** Call after the commit only. */
  remember(runId: string, ended: Iterable<[string, TaskRunState]>): void {
    const known = this.runs.get(runId) ?? new Map<string, TaskRunState>();
    for (const [key, state] of ended) known.set(key, state);
    this.runs.delete(runId);
    this.runs.set(runId, known);
    if (this.runs.size > MAX_RUNS) this.runs.delete(this.runs.keys().next().value!);
  }

  forget(runId: string): void {
    this.runs.delete(runId);
  }
}

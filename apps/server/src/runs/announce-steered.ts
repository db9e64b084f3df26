import type { WakeBus } from '../wake/wake-bus.js';
import type { SteeredRun } from './cancel-run.js';

/** Tells agents, passes and consoles of a run that was cancelled, paused or resumed. Call it after the commit. */
export function announceSteered(wakeBus: WakeBus, runId: string, { projectId, nodeIds, attemptIds }: SteeredRun): void {
  for (const nodeId of nodeIds) wakeBus.work(nodeId);
  wakeBus.place();
  wakeBus.backfill();
  wakeBus.unplaced();
  wakeBus.retry();
  wakeBus.admit();
  wakeBus.fire(); // a schedule may hold a fire back until this run has ended
  wakeBus.changed([
    { entity: 'run', id: runId, projectId },
    ...attemptIds.map((attemptId) => ({ entity: 'attempt' as const, id: attemptId, runId, projectId })),
  ]);
}

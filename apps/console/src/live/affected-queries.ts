import type { ChangeEvent } from '@medley/contracts';
import { type QueryKey, queryKeys } from '../api/query-keys.js';

/** Which cached answers a change makes stale. */
export function affectedQueries(change: ChangeEvent): QueryKey[] {
  const ofRun = change.runId === undefined ? [] : [queryKeys.run(change.runId)];
  switch (change.entity) {
    case 'run':
      return [
        queryKeys.run(change.id),
        queryKeys.runs,
        queryKeys.workflows,
        queryKeys.placements,
        queryKeys.overview,
        queryKeys.backfills,
        queryKeys.approvals,
      ];
    case 'task-run':
      return [...ofRun, queryKeys.taskRun(change.id), queryKeys.approvals, queryKeys.overview];
    case 'attempt':
      return [...ofRun, queryKeys.attempt(change.id), queryKeys.taskRuns, queryKeys.nodes, queryKeys.placements, queryKeys.overview];
    case 'log':
      // Read by whoever follows it, which hears of it by itself.
      return [];
    case 'node':
      return [queryKeys.nodes, queryKeys.node(change.id), queryKeys.pools, queryKeys.overview];
    case 'schedule':
      return [queryKeys.schedules, queryKeys.overview];
    case 'workflow':
      return [queryKeys.workflows, queryKeys.workflow(change.id), queryKeys.schedules];
    case 'pool':
      return [queryKeys.pools];
    case 'backfill':
      return [queryKeys.backfills];
  }
}

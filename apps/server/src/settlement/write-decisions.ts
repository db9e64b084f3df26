import type { ChildDecision } from '@medley/core';
import type { Sql } from '@medley/database';
import { taskRunsAccepting } from '../runs/state-lists.js';
import type { EndedTask, LockedRun, Settled } from './settlement.types.js';
import type { LoadedWorkflow } from './workflow-specs.js';

interface WrittenDecision {
  id: string;
  key: string;
  state: 'ready' | 'paused' | 'skipped';
  unplaced: boolean;
}

export interface WrittenDecisions {
  readied: Settled['readied'];
  skipped: EndedTask[];
}

/** Compare-and-set from `waiting`; in a paused run what may begin waits for its resume. What another transaction changed meanwhile is not in the answer. */
export async function writeDecisions(
  sql: Sql,
  run: LockedRun,
  workflow: LoadedWorkflow,
  decisions: readonly ChildDecision[],
): Promise<WrittenDecisions> {
  if (decisions.length === 0) return { readied: [], skipped: [] };
  const rows = await sql.query<WrittenDecision>(
    `update task_runs t set state = d.state, reason = d.reason, ready_at = case when d.state in ('ready', 'paused') then clock_timestamp() end,
       finished_at = case when d.state = 'skipped' then clock_timestamp() end,
       deadline_at = case when d.state in ('ready', 'paused') then clock_timestamp() + make_interval(secs => t.deadline_seconds) end
     from unnest($2::int[], $3::text[], $4::jsonb[]) as d(position, state, reason)
     where t.run_id = $1 and t.position = d.position and t.item = -1 and t.state in ${taskRunsAccepting('skip')}
     returning t.id, t.task_key as key, t.state, t.pool_id is null as unplaced`,
    [
      run.id,
      decisions.map(({ key }) => workflow.positionOf(key)),
      decisions.map(({ next }) => (next === 'ready' && run.state === 'paused' ? 'paused' : next)),
      decisions.map((decision) => (decision.next === 'skipped' ? JSON.stringify({ code: 'skipped', ...decision.reason }) : null)),
    ],
  );
  const readied = rows.filter(({ state }) => state === 'ready');
  const skipped = rows.filter(({ state }) => state === 'skipped');
  return {
    readied: readied.map(({ id, unplaced }) => ({ runId: run.id, taskRunId: id, unplaced })),
    skipped: skipped.map(({ id, key }) => ({ run, taskRunId: id, key, state: 'skipped' })),
  };
}

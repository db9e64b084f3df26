import type { ExpressionValue, ParameterValues, TaskRunState } from '@medley/core';
import type { Sql } from '@medley/database';
import type { LockedRun, Mark } from '../settlement/settlement.types.js';
import type { LoadedWorkflow, WorkflowSpecs } from '../settlement/workflow-specs.js';
import { endedChildren } from '../sub-workflows/steer-children.js';
import type { Pins } from '../sub-workflows/workflow-calls.js';
import type { StoredReason, UnplacedTaskRun } from './unplaced.types.js';

/** Task runs without a pool that may begin, those whose own run has ended, and those that are to be looked at again by now; at most so many of each. */
export async function findUnplaced(sql: Sql, most: number): Promise<{ id: string; runId: string }[]> {
  return sql.query<{ id: string; runId: string }>(
    `(select id, run_id as "runId" from task_runs where pool_id is null and state = 'ready' order by id limit $1)
     union (${endedChildren} order by t.id limit $1)
     union
     (select id, run_id from task_runs where next_look_at is not null and next_look_at <= (select clock_timestamp()) and finished_at is null order by next_look_at limit $1)`,
    [most],
  );
}

interface UnplacedRow {
  id: string;
  task_key: string;
  state: TaskRunState;
  reason: StoredReason | null;
  tries: number;
  ready_at: Date | null;
  parameters: ParameterValues;
  item: number;
  item_value: ExpressionValue;
  fire_at: Date | null;
  zone: string | null;
  priority: number;
  fence: number;
  parent_id: string | null;
  mark: Mark | null;
  child_run_id: string | null;
  continues_run_id: string | null;
  pins: Pins | null;
}

/** Locks what is still to be decided among these. The run is locked already. */
export async function lockUnplaced(sql: Sql, run: LockedRun, specs: WorkflowSpecs, ids: readonly string[]): Promise<UnplacedTaskRun[]> {
  const workflow = await specs.load(sql, run.workflowId, run.workflowVersion);
  const rows = await sql.query<UnplacedRow>(
    `select t.id, t.task_key, t.state, t.reason, t.tries, t.ready_at, t.item, t.item_value, t.priority, t.fence, t.parent_id, t.mark, t.child_run_id, t.continues_run_id, r.pins, r.parameters, r.fire_at, s.zone
     from task_runs t join runs r on r.id = t.run_id left join schedules s on s.id = r.schedule_id
     where t.id = any($1) and t.run_id = $2 and t.pool_id is null and t.state in ('ready', 'blocked', 'running') order by t.id for update of t`,
    [ids, run.id],
  );
  return rows.map((row) => taskRunOf(row, run, workflow));
}

function taskRunOf(
  { task_key, item, item_value, fire_at, zone, ready_at, parent_id, child_run_id, continues_run_id, ...row }: UnplacedRow,
  run: LockedRun,
  workflow: LoadedWorkflow,
): UnplacedTaskRun {
  return {
    ...row,
    readyAt: ready_at,
    parentId: parent_id,
    childRunId: child_run_id,
    continuesRunId: continues_run_id,
    run,
    workflow,
    task: workflow.task(task_key),
    item: item < 0 ? null : { index: item, value: item_value },
    schedule: fire_at && zone ? { fireAt: fire_at, zone } : null,
  };
}

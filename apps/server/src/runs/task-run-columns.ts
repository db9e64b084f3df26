import type { TaskRunItem } from '@medley/contracts';
import { answerRow } from '../rest/answer-row.js';

/** Why a task run `t` is as it is. What a blocked one waits for changes by the second and is stored once for all that ask for the same. */
export const taskRunReason = `
case when t.state = 'blocked' then coalesce(
  (select jsonb_build_object('code', p.code, 'text', p.text, 'values', p."values") from placement_waits p where p.pool_id = t.pool_id and p.shape_hash = t.shape_hash), t.reason
) else t.reason end as reason`;

/** Columns of a task run as `TaskRunItem` shows it. The newest attempt is the one with the highest fence, found by the index on (task run, fence). */
export const taskRunColumns = `
t.id, t.task_key as key, t.position, t.state, ${taskRunReason}, t.tries, t.ready_at as "readyAt", t.retry_at as "retryAt", t.started_at as "startedAt",
t.finished_at as "finishedAt", t.kept_from as "keptFrom",
t.parent_id as "parentId", nullif(t.item, -1) as item, t.item_value as "itemValue",
case when tp.task_run_id is not null then json_build_object('total', tp.total, 'begun', tp.begun, 'ended', tp.ended, 'failed', tp.failed, 'atMost', tp.at_most) end as parts,
case when c.id is not null then json_build_object('runId', c.id, 'workflowId', cw.id, 'workflow', cw.name, 'version', c.workflow_version, 'state', c.state) end as child,
case when a.id is not null then json_build_object('id', a.id, 'number', a.fence, 'state', a.state, 'nodeId', a.node_id, 'node', n.name) end as attempt`;

export const taskRunFrom = `
task_runs t
left join lateral (select * from attempts where task_run_id = t.id order by fence desc limit 1) a on true
left join nodes n on n.id = a.node_id left join task_parts tp on tp.task_run_id = t.id
left join runs c on c.id = t.child_run_id left join workflows cw on cw.id = c.workflow_id`;

export function taskRunItemOf(row: object): TaskRunItem {
  return answerRow<TaskRunItem>(row);
}

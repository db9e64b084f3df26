import type { Approval } from '@medley/contracts';
import type { Sql } from '@medley/database';
import type { VisibleProjects } from '../access/caller.js';
import { answerRow } from '../rest/answer-row.js';
import { WAITING_FOR_APPROVAL } from './approval.kind.js';

export type OpenApproval = Omit<Approval, 'mayDecide'>;

// What waits without a pool is in an index of its own (task_runs_waiting), which holds nothing else.
const open = `
select t.id as "taskRunId", t.task_key as task, t.run_id as "runId", r.workflow_id as "workflowId", w.name as workflow, r.project_id as "projectId", p.name as project,
  u.name as "startedBy", t.reason->'values'->'by' as by, t.ready_at as "waitingSince", t.deadline_at as "deadlineAt"
from task_runs t join runs r on r.id = t.run_id join projects p on p.id = r.project_id join workflows w on w.id = r.workflow_id left join users u on u.id = r.created_by
where t.state = 'blocked' and t.pool_id is null and t.reason->>'code' = '${WAITING_FOR_APPROVAL}' and r.state <> 'cancelling'`;

/** Open approvals of these projects, the longest waiting first. */
export async function listApprovals(sql: Sql, projects: VisibleProjects, most: number): Promise<OpenApproval[]> {
  const rows = await sql.query<object>(
    `${open} and p.removed_at is null and ($2::uuid[] is null or r.project_id = any($2)) order by t.ready_at, t.id limit $1`,
    [most, projects],
  );
  return rows.map((row) => answerRow<OpenApproval>(row));
}

/** Null for a task run that waits for none. */
export async function findApproval(sql: Sql, taskRunId: string): Promise<OpenApproval | null> {
  const [row] = await sql.query<object>(`${open} and t.id = $1`, [taskRunId]);
  return row ? answerRow<OpenApproval>(row) : null;
}

/** Of every group that the user is in. */
export async function readGroupNames(sql: Sql, userId: string): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    'select g.name from group_members m join groups g on g.id = m.group_id where m.user_id = $1',
    [userId],
  );
  return rows.map(({ name }) => name);
}

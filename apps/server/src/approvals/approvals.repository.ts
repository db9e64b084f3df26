import type { Approval, ApprovalQuery, Page } from '@medley/contracts';
import type { Sql } from '@medley/database';
import type { VisibleProjects } from '../access/caller.js';
import { answerRow } from '../rest/answer-row.js';
import { listKind } from '../rest/cursor.js';
import { listOrder, pageOfSorted, type SortColumn, type SortedRow } from '../rest/sorted-list.js';
import { WAITING_FOR_APPROVAL } from './approval.kind.js';

export type OpenApproval = Omit<Approval, 'mayDecide'>;

// What waits without a pool is in an index of its own (task_runs_waiting), which holds nothing else. In a run that is being cancelled only a final task still waits.
const columns = `t.id as "taskRunId", t.task_key as task, t.run_id as "runId", r.workflow_id as "workflowId", w.name as workflow, r.project_id as "projectId", p.name as project,
  u.name as "startedBy", t.reason->'values'->'by' as by, t.ready_at as "waitingSince", t.deadline_at as "deadlineAt"`;
const open = `
from task_runs t join runs r on r.id = t.run_id join projects p on p.id = r.project_id join workflows w on w.id = r.workflow_id left join users u on u.id = r.created_by
where t.state = 'blocked' and t.pool_id is null and t.reason->>'code' = '${WAITING_FOR_APPROVAL}'`;

const sortColumns: Record<string, SortColumn> = {
  since: { sql: 't.ready_at', type: 'timestamptz' },
  deadline: { sql: "coalesce(t.deadline_at, 'infinity')", type: 'timestamptz' },
  task: { sql: 't.task_key', type: 'text' },
  workflow: { sql: 'w.name', type: 'text' },
  startedBy: { sql: "coalesce(u.name, '')", type: 'text' },
};

/** Which approvals name somebody: by rules that hold anywhere, and by those of single projects, as `<project id> role:…`. */
export interface NamingRules {
  anywhere: readonly string[];
  inProject: readonly string[];
}

/** Open approvals of these projects. With `named`, those of whom one of their rules is among these. Throws cursor-invalid. */
export async function listApprovals(
  sql: Sql,
  query: ApprovalQuery,
  projects: VisibleProjects,
  named: NamingRules | null,
): Promise<Page<OpenApproval>> {
  const kind = listKind('approvals', query);
  const order = listOrder(sortColumns, query.sort, { kind, cursor: query.cursor, id: 't.id' });
  const rows = await sql.query<SortedRow>(
    `select ${columns}, t.id, ${order.select} as "sortText" ${open} and p.removed_at is null and ($1::uuid[] is null or r.project_id = any($1))
       and ($2::uuid is null or t.run_id = $2) and ($3::text is null or position(lower($3) in lower(concat_ws(' ', t.task_key, w.name, p.name))) > 0)
       and ($4::text[] is null or exists (select 1 from jsonb_array_elements_text(t.reason->'values'->'by') as b(rule)
         where b.rule = any($4) or r.project_id || ' ' || b.rule = any($5)))
       and ${order.after(6, 7)} order by ${order.orderBy} limit $8`,
    [
      ...[projects, query.runId ?? null, query.search ?? null, named?.anywhere ?? null, named?.inProject ?? null],
      ...[...order.position, query.limit + 1],
    ],
  );
  return pageOfSorted(rows, query.limit, kind, ({ id: _, ...row }) => answerRow<OpenApproval>(row));
}

/** Null for a task run that waits for none. */
export async function findApproval(sql: Sql, taskRunId: string): Promise<OpenApproval | null> {
  const [row] = await sql.query<object>(`select ${columns} ${open} and t.id = $1`, [taskRunId]);
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

import {
  type Page,
  type PageQuery,
  type WorkflowListItem,
  type WorkflowQuery,
  type WorkflowRunGlance,
  type WorkflowSpec,
  type WorkflowVersionItem,
  type WorkflowVersionView,
} from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import type { VisibleProjects } from '../access/caller.js';
import { answerRow } from '../rest/answer-row.js';
import { decodeCursor, listKind, pageOfRows } from '../rest/cursor.js';
import { listOrder, type SortColumn } from '../rest/sorted-list.js';

const LAST_RUNS = 5;

const workflowColumns = `w.id, w.project_id as "projectId", p.name as project, w.name, w.description, w.latest_version as "latestVersion",
  v.task_count as "taskCount",
  (select count(*)::int from schedules s where s.workflow_id = w.id and s.removed_at is null) as "scheduleCount",
  (select count(*)::int from schedules s where s.workflow_id = w.id and s.removed_at is null and s.enabled) as "enabledScheduleCount",
  w.created_at as "createdAt", w.updated_at as "updatedAt"`;
const workflowFrom = `from workflows w join projects p on p.id = w.project_id
  join workflow_versions v on v.workflow_id = w.id and v.version = w.latest_version`;

const sortColumns: Record<string, SortColumn> = {
  name: { sql: 'w.name', type: 'text' },
  updated: { sql: 'w.updated_at', type: 'timestamptz' },
  tasks: { sql: 'v.task_count', type: 'int' },
};

export async function listWorkflows(sql: Sql, query: WorkflowQuery, projects: VisibleProjects): Promise<Page<WorkflowListItem>> {
  const kind = listKind('workflows', query);
  const order = listOrder(sortColumns, query.sort, { kind, cursor: query.cursor, id: 'w.id' });
  const rows = await sql.query<{ id: string; sortText: string }>(
    `select ${workflowColumns}, ${order.select} as "sortText" ${workflowFrom}
     where ($1::uuid[] is null or w.project_id = any($1))
       and ($2::text is null or position(lower($2) in lower(w.name)) > 0 or position(lower($2) in lower(w.description)) > 0)
       and ${order.after(3, 4)} order by ${order.orderBy} limit $5`,
    [projects, query.search ?? null, ...order.position, query.limit + 1],
  );
  const glances = await readLastRuns(
    sql,
    rows.map((row) => row.id),
  );
  return pageOfRows(
    rows,
    query.limit,
    kind,
    (row) => [row.sortText, row.id],
    ({ sortText: _, ...row }) => ({ ...answerRow<WorkflowListItem>(row), lastRuns: glances.get(row.id) ?? [] }),
  );
}

/** Throws not-found. */
export async function getWorkflowItem(sql: Sql, id: string): Promise<WorkflowListItem> {
  const [row] = await sql.query<object>(`select ${workflowColumns} ${workflowFrom} where w.id = $1`, [id]);
  if (!row) throw new AppError('not-found', phrase('no-such-workflow'));
  return { ...answerRow<WorkflowListItem>(row), lastRuns: (await readLastRuns(sql, [id])).get(id) ?? [] };
}

const versionColumns = 'v.version, v.checksum, u.name as "createdBy", v.created_at as "createdAt"';

export async function listVersions(sql: Sql, workflowId: string, { limit, cursor }: PageQuery): Promise<Page<WorkflowVersionItem>> {
  const kind = listKind(`versions ${workflowId}`, {});
  const before = Number(decodeCursor(kind, cursor, 1)?.[0] ?? Number.NaN);
  const rows = await sql.query<{ version: number }>(
    `select ${versionColumns} from workflow_versions v left join users u on u.id = v.created_by
     where v.workflow_id = $1 and ($2::int is null or v.version < $2) order by v.version desc limit $3`,
    [workflowId, Number.isSafeInteger(before) ? before : null, limit + 1],
  );
  if (rows.length === 0) await getWorkflowItem(sql, workflowId);
  return pageOfRows(
    rows,
    limit,
    kind,
    (row) => [String(row.version)],
    (row) => answerRow<WorkflowVersionItem>(row),
  );
}

/** The latest version when none is named. Throws not-found. */
export async function getVersion(sql: Sql, workflowId: string, version: number | null): Promise<WorkflowVersionView> {
  const [row] = await sql.query<object>(
    `select ${versionColumns}, w.id as "workflowId", w.name, p.name as project, v.definition, coalesce(v.source, '') as yaml
     from workflows w join projects p on p.id = w.project_id
     join workflow_versions v on v.workflow_id = w.id and v.version = coalesce($2, w.latest_version) left join users u on u.id = v.created_by
     where w.id = $1`,
    [workflowId, version],
  );
  if (!row) throw new AppError('not-found', version ? phrase('no-such-version', { version }) : phrase('no-such-workflow'));
  return answerRow<WorkflowVersionView>(row);
}

export async function getSpec(sql: Sql, workflowId: string, version: number | null): Promise<WorkflowSpec> {
  const [row] = await sql.query<{ spec: WorkflowSpec }>(
    `select v.spec from workflows w join workflow_versions v on v.workflow_id = w.id and v.version = coalesce($2, w.latest_version) where w.id = $1`,
    [workflowId, version],
  );
  if (!row) throw new AppError('not-found', version ? phrase('no-such-version', { version }) : phrase('no-such-workflow'));
  return row.spec;
}

async function readLastRuns(sql: Sql, workflowIds: readonly string[]): Promise<Map<string, WorkflowRunGlance[]>> {
  const rows = await sql.query<{ workflow_id: string }>(
    `select r.workflow_id, r.id, r.state, r.created_at as "createdAt", r.finished_at as "finishedAt" from unnest($1::uuid[]) as w(id)
     cross join lateral (select * from runs where workflow_id = w.id order by id desc limit $2) r`,
    [workflowIds, LAST_RUNS],
  );
  const byWorkflow = new Map<string, WorkflowRunGlance[]>();
  for (const { workflow_id, ...run } of rows) {
    const known = byWorkflow.get(workflow_id) ?? [];
    known.push(answerRow<WorkflowRunGlance>(run));
    byWorkflow.set(workflow_id, known);
  }
  return byWorkflow;
}

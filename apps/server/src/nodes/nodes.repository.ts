import type { NodeAttempt, NodeListItem, NodeQuery, NodeView, Page } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import type { VisibleProjects } from '../access/caller.js';
import { answerRow } from '../rest/answer-row.js';
import { decodeCursor, listKind, pageOfRows } from '../rest/cursor.js';
import { nodeCondition } from './node-filter.js';
import { nodeOrder } from './node-order.js';
import { type CapacityRow, capacityOf, type NodeRow, type Nullable, nodeColumns, nodeItemOf, nodeTables } from './node-rows.js';

export async function listNodes(sql: Sql, query: NodeQuery): Promise<Page<NodeListItem>> {
  const kind = listKind('nodes', query);
  const after = decodeCursor(kind, query.cursor, 2);
  const order = nodeOrder(query.sort);
  const { text, values } = await nodeCondition(sql, query, [query.limit + 1, ...(after ?? [])]);
  const rows = await sql.query<NodeRow & { position: string }>(
    `select ${nodeColumns}, ${order.column} from ${nodeTables} where ${text} ${after ? `and ${order.after('$2', '$3')}` : ''}
     order by ${order.orderBy} limit $1`,
    values,
  );
  return pageOfRows(
    rows,
    query.limit,
    kind,
    (row) => [row.position, row.name],
    ({ position: _, ...row }) => nodeItemOf(row),
  );
}

/** With the live attempts of these projects, and how many others there are. Throws not-found. */
export async function getNode(sql: Sql, id: string, projects: VisibleProjects): Promise<NodeView> {
  const [row] = await sql.query<NodeRow>(`select ${nodeColumns} from ${nodeTables} where n.removed_at is null and n.id = $1`, [id]);
  if (!row) throw new AppError('not-found', phrase('no-such-node'));
  // What was prefetched holds no reservation before it is claimed.
  const attempts = await sql.query<object & Nullable<CapacityRow>>(
    `select a.id, a.task_run_id as "taskRunId", a.run_id as "runId", w.name as workflow, t.task_key as "taskKey", a.state, a.dispatched_at as "dispatchedAt",
       a.started_at as "startedAt", r.cpu_millis, r.memory_mib, r.disk_mib, r.gpu_count
     from attempts a left join reservations r on r.attempt_id = a.id join task_runs t on t.id = a.task_run_id join runs on runs.id = a.run_id
     join workflows w on w.id = runs.workflow_id where a.node_id = $1 and a.finished_at is null and ($2::uuid[] is null or runs.project_id = any($2)) order by a.id limit 1000`,
    [id, projects],
  );
  const [all] = await sql.query<{ count: number }>(
    'select count(*)::int as count from attempts where node_id = $1 and finished_at is null',
    [id],
  );
  return { ...nodeItemOf(row), attempts: attempts.map(nodeAttemptOf), hiddenAttempts: Math.max(0, all!.count - attempts.length) };
}

function nodeAttemptOf({ cpu_millis, memory_mib, disk_mib, gpu_count, ...row }: Nullable<CapacityRow>): NodeAttempt {
  return { ...answerRow<NodeAttempt>(row), reserved: capacityOf({ cpu_millis, memory_mib, disk_mib, gpu_count }) };
}

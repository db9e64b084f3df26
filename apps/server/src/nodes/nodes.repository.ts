import type { NodeAttempt, NodeCapacity, NodeListItem, NodeQuery, NodeView, Page } from '@medley/contracts';
import { AppError, effectivePerformance, measuredPerformance } from '@medley/core';
import type { Sql } from '@medley/database';
import type { VisibleProjects } from '../access/caller.js';
import { answerRow } from '../rest/answer-row.js';
import { decodeCursor, listKind, pageOfRows } from '../rest/cursor.js';

const nodeSelect = `
select n.id, n.name, n.pool_id as "poolId", p.name as pool, n.state, n.state_since as "stateSince", n.cordoned, n.draining, n.labels, n.os, n.arch, n.hostname,
  n.agent_version as "agentVersion", n.runtimes, n.cpu_millis, n.memory_mib, n.disk_mib, n.gpu_count, u.cpu_millis as used_cpu_millis,
  u.memory_mib as used_memory_mib, u.disk_mib as used_disk_mib, u.gpu_count as used_gpu_count, coalesce(u.attempts, 0) as "liveAttempts",
  n.max_attempts as "maxAttempts", n.declared_speed, n.cpu_limit, n.measured, n.measured_at, h.load, h.received_at as "lastHeartbeatAt", n.created_at as "createdAt"
from nodes n join pools p on p.id = n.pool_id left join node_usage u on u.node_id = n.id left join node_heartbeats h on h.node_id = n.id
where n.removed_at is null`;

interface NodeRow {
  id: string;
  name: string;
  cpu_millis: number;
  memory_mib: number;
  disk_mib: number;
  gpu_count: number;
  used_cpu_millis: number | null;
  used_memory_mib: number | null;
  used_disk_mib: number | null;
  used_gpu_count: number | null;
  declared_speed: number | null;
  cpu_limit: NodeListItem['performance']['cpuLimit'];
  measured: NodeListItem['performance']['measured'];
  measured_at: Date | null;
}

/** By name. */
export async function listNodes(sql: Sql, query: NodeQuery): Promise<Page<NodeListItem>> {
  const kind = listKind('nodes', query);
  const after = decodeCursor(kind, query.cursor, 1)?.[0] ?? null;
  const rows = await sql.query<NodeRow>(
    `${nodeSelect} and ($1::uuid is null or n.pool_id = $1) and ($2::text is null or n.state = $2) and ($3::text is null or n.name > $3)
     order by n.name limit $4`,
    [query.poolId ?? null, query.state ?? null, after, query.limit + 1],
  );
  return pageOfRows(rows, query.limit, kind, (row) => [row.name], nodeItemOf);
}

/** With the live attempts of these projects, and how many others there are. Throws not-found. */
export async function getNode(sql: Sql, id: string, projects: VisibleProjects): Promise<NodeView> {
  const [row] = await sql.query<NodeRow>(`${nodeSelect} and n.id = $1`, [id]);
  if (!row) throw new AppError('not-found', 'There is no such node.');
  // What was prefetched holds no reservation before it is claimed.
  const attempts = await sql.query<object & Nullable<CapacityRow>>(
    `select a.id, a.task_run_id as "taskRunId", a.run_id as "runId", w.name as workflow, t.task_key as "taskKey", a.state, a.dispatched_at as "dispatchedAt",
       a.started_at as "startedAt", r.cpu_millis, r.memory_mib, r.disk_mib, r.gpu_count
     from attempts a left join reservations r on r.attempt_id = a.id join task_runs t on t.id = a.task_run_id join runs on runs.id = a.run_id
     join workflows w on w.id = runs.workflow_id where a.node_id = $1 and a.finished_at is null and ($2::uuid[] is null or runs.project_id = any($2)) order by a.id limit 1000`,
    [id, projects],
  );
  const [all] = await sql.query<{ count: number }>('select count(*)::int as count from attempts where node_id = $1 and finished_at is null', [
    id,
  ]);
  return { ...nodeItemOf(row), attempts: attempts.map(nodeAttemptOf), hiddenAttempts: Math.max(0, all!.count - attempts.length) };
}

type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null };

interface CapacityRow {
  cpu_millis: number;
  memory_mib: number;
  disk_mib: number;
  gpu_count: number;
}

function nodeAttemptOf({ cpu_millis, memory_mib, disk_mib, gpu_count, ...row }: Nullable<CapacityRow>): NodeAttempt {
  return { ...answerRow<NodeAttempt>(row), reserved: capacityOf({ cpu_millis, memory_mib, disk_mib, gpu_count }) };
}

function nodeItemOf(row: NodeRow): NodeListItem {
  const { cpu_millis, memory_mib, disk_mib, gpu_count, used_cpu_millis, used_memory_mib, used_disk_mib, used_gpu_count, ...rest } = row;
  const { declared_speed: declaredSpeed, cpu_limit: cpuLimit, measured, measured_at: measuredAt, ...shown } = rest;
  const used = { cpu_millis: used_cpu_millis, memory_mib: used_memory_mib, disk_mib: used_disk_mib, gpu_count: used_gpu_count };
  const effective = effectivePerformance({
    declaredSpeed,
    measured: measured && measuredPerformance(measured),
    cpuMillis: cpu_millis ?? 0,
  });
  return {
    ...answerRow<NodeListItem>(shown),
    capacity: capacityOf({ cpu_millis, memory_mib, disk_mib, gpu_count }),
    used: capacityOf(used),
    performance: { measured, measuredAt: measuredAt?.toISOString() ?? null, declaredSpeed, cpuLimit, effective },
  };
}

function capacityOf(row: Nullable<CapacityRow>): NodeCapacity {
  return { cpuMillis: row.cpu_millis ?? 0, memoryMib: row.memory_mib ?? 0, diskMib: row.disk_mib ?? 0, gpuCount: row.gpu_count ?? 0 };
}

import {
  type LimitTake,
  type NodeSnapshot,
  type PlacementRequest,
  type PlacementTurnInput,
  type PlacementTurnResult,
  shortSeconds,
} from '@medley/core';
import { roundTrip, type Sql } from '@medley/database';
import { taskRunsAccepting } from '../runs/state-lists.js';
import { nodeSpeed } from '../settlement/node-speed.js';
import {
  type PlaceableRow,
  type PlaceableTaskRun,
  type PoolSnapshot,
  placeableColumns,
  placeableOf,
  placeableOrder,
  type Shape,
} from './place.snapshot.js';

/** A short attempt that is this much past its expected end says nothing any more of when it will end. */
const OVERDUE_SECONDS = 2;

/** A prefetched attempt that is not claimed yet. */
export interface WaitingAttempt extends PlaceableTaskRun {
  attemptId: string;
  nodeId: string;
}

const backlogQuery = `
select ${placeableColumns}, a.id as attempt_id, a.node_id, s.request
from nodes n join attempts a on a.node_id = n.id and a.prefetched and a.next_send_at is not null
join task_runs t on t.id = a.task_run_id and t.fence = a.fence and t.state in ${taskRunsAccepting('withdraw')}
join request_shapes s on s.hash = t.shape_hash
where n.pool_id = $1 order by a.id`;

/** What waits for room on the nodes of a pool. */
export async function readBacklog(sql: Sql, poolId: string): Promise<WaitingAttempt[]> {
  const rows = await sql.query<PlaceableRow & { attempt_id: string; node_id: string; request: Shape['request'] }>(backlogQuery, [poolId]);
  return rows.map((row) => ({ ...placeableOf(row, row.request), attemptId: row.attempt_id, nodeId: row.node_id }));
}

const endingSoonQuery = `
select n.id, count(*)::int as attempts, sum(r.cpu_millis)::int as "cpuMillis", sum(r.memory_mib)::int as "memoryMib", sum(r.disk_mib)::int as "diskMib",
  sum(r.gpu_count)::int as "gpuCount"
from nodes n join attempts a on a.node_id = n.id and a.finished_at is null
join task_runs t on t.id = a.task_run_id and t.fence = a.fence
join reservations r on r.attempt_id = a.id and r.state = 'held'
where n.id = any($1) and t.expected_seconds / greatest(${nodeSpeed}, 0.01) <= ${shortSeconds}
  and clock_timestamp() - coalesce(a.claimed_at, a.dispatched_at) < make_interval(secs => t.expected_seconds / greatest(${nodeSpeed}, 0.01) + ${OVERDUE_SECONDS})
group by n.id`;

const shortQuery = `
select ${placeableColumns}
from unnest($2::text[], $3::int[]) as s(hash, known)
cross join lateral (
  select * from task_runs where pool_id = $1 and shape_hash = s.hash and state in ('ready', 'blocked') ${placeableOrder} offset s.known limit $4
) t where t.expected_seconds <= $5`;

interface EndingSoonRow {
  id: string;
  attempts: number;
  cpuMillis: number;
  memoryMib: number;
  diskMib: number;
  gpuCount: number;
}

/**
 * Whether a turn that was decided without looking for prefetches could have some: short requests wait for room, and nodes have a place in their backlog.
 * Returns these nodes; none is the usual answer, and costs no look at the database.
 */
export function nodesToPrefetchTo(input: PlacementTurnInput, { waits, prefetches }: PlacementTurnResult): NodeSnapshot[] {
  const depth = input.policy.prefetch ?? 0;
  const waiting = new Map<string, number>();
  for (const { nodeId } of input.prefetched ?? []) waiting.set(nodeId, (waiting.get(nodeId) ?? 0) + 1);
  const open = input.nodes.filter((node) => node.takesPrefetch && (waiting.get(node.id) ?? 0) < depth);
  if (open.length === 0 || prefetches.length > 0) return open;
  const shortHere = shortSeconds * Math.max(...open.map((node) => node.performance));
  const forRoom = new Set(waits.filter(({ code }) => code === 'no-capacity').map(({ taskRunId }) => taskRunId));
  const isShort = ({ taskRunId, expectedSeconds, takes }: PlacementRequest) =>
    takes === undefined && expectedSeconds !== null && expectedSeconds <= shortHere && forRoom.has(taskRunId);
  return input.requests.some(isShort) ? open : [];
}

interface UndecidedTurn {
  pool: PoolSnapshot;
  input: PlacementTurnInput;
  placeable: readonly PlaceableTaskRun[];
  shapes: readonly Shape[];
  takes: ReadonlyMap<string, LimitTake[]>;
  /** Nodes with a place in their backlog. */
  open: readonly NodeSnapshot[];
}

/** Completes a turn's input by what prefetching needs to know: what ends soon on these nodes, and short requests beyond those that could be placed. */
export async function readPrefetchFacts(
  sql: Sql,
  { pool, input, placeable, shapes, takes, open }: UndecidedTurn,
): Promise<{ input: PlacementTurnInput; placeable: PlaceableTaskRun[] }> {
  const known = shapes.map(({ hash }) => placeable.filter(({ shapeHash }) => shapeHash === hash).length);
  const places = open.length * (input.policy.prefetch ?? 0);
  const shortHere = shortSeconds * Math.max(...open.map((node) => node.performance));
  const [soon, rows] = await roundTrip([
    sql.query<EndingSoonRow>(endingSoonQuery, [open.map((node) => node.id)]),
    sql.query<PlaceableRow>(shortQuery, [
      pool.poolId,
      shapes.map(({ hash }) => hash),
      known,
      Math.min(places, input.maxDecisions),
      shortHere,
    ]),
  ]);
  const requests = new Map(shapes.map(({ hash, request }) => [hash, request]));
  const listed = new Set(placeable.map(({ request }) => request.taskRunId));
  const more = rows
    .filter(({ id }) => !listed.has(id))
    .map((row) => placeableOf(row, requests.get(row.shape_hash)!, takes.get(row.shape_hash)));
  const soonById = new Map(soon.map(({ id, attempts, ...resources }) => [id, { attempts, resources }]));
  const all = [...placeable, ...more];
  return {
    placeable: all,
    input: {
      ...input,
      requests: all.map(({ request }) => request),
      nodes: input.nodes.map((node) => (soonById.has(node.id) ? { ...node, endingSoon: soonById.get(node.id)! } : node)),
    },
  };
}

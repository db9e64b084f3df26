import { FILES_PROTOCOL, PREFETCH_PROTOCOL, SECRETS_PROTOCOL } from '@medley/contracts';
import {
  ageingSeconds,
  defaultPrefetch,
  effectivePerformance,
  type LimitTake,
  maxFailures,
  measuredPerformance,
  type NodeSnapshot,
  type PlacementPolicy,
  type PlacementRequest,
  type Resources,
  recordFailure,
  type SelectorState,
  unknownExpectedSeconds,
} from '@medley/core';
import { roundTrip, type Sql } from '@medley/database';
import type { ShapedRequest } from '../runs/request-shape.js';
import { nodeSpeed } from '../settlement/node-speed.js';
import type { Quota, TakenLimits } from './place.limits.js';

/** What one turn over a pool looks at. */
export interface PoolSnapshot {
  poolId: string;
  policy: PlacementPolicy;
  selectorState: SelectorState;
  nodes: NodeSnapshot[];
  nowMs: number;
  /** Lost attempts by node since the last turn that used them; already in `selectorState`. */
  failures: { nodeId: string; count: number }[];
}

/** A ready or blocked task run, or a prefetched one, with the facts its placement is written with. */
export interface PlaceableTaskRun {
  request: PlacementRequest;
  shapeHash: string;
  fence: number;
  shape: ShapedRequest;
}

interface NodeRow {
  id: string;
  name: string;
  labels: Record<string, string>;
  os: string;
  runtimes: string[];
  cpu_millis: number;
  memory_mib: number;
  disk_mib: number;
  gpu_count: number;
  used_cpu_millis: number;
  used_memory_mib: number;
  used_disk_mib: number;
  used_gpu_count: number;
  used_attempts: number;
  max_attempts: number;
  cordoned: boolean;
  draining: boolean;
  state: 'online' | 'unreachable' | 'offline';
  protocol: number;
  declared_speed: number | null;
  measured: Parameters<typeof measuredPerformance>[0] | null;
  busy: number[] | null;
  cpu_percent: number | null;
  max_cpu_percent: number | null;
  failures: number;
}

/** A load older than this says nothing of now; longer than several heartbeats, so that one that is late does not open a loaded node. */
const LOAD_COUNTS_SECONDS = 30;

const nodesQuery = `
select n.id, n.name, n.labels, n.os, n.runtimes, n.cpu_millis, n.memory_mib, n.disk_mib, n.gpu_count, n.max_attempts, n.cordoned, n.draining, n.state, n.protocol,
  n.declared_speed, n.measured, u.cpu_millis as used_cpu_millis, u.memory_mib as used_memory_mib, u.disk_mib as used_disk_mib,
  u.gpu_count as used_gpu_count, u.attempts as used_attempts, u.failures,
  case when (select policy->>'selector' from pools where id = $1) = 'earliest-finish' then (
    select array_agg(greatest(0, coalesce(t.expected_seconds, ${unknownExpectedSeconds}) / greatest(${nodeSpeed}, 0.01) - extract(epoch from clock_timestamp() - coalesce(a.claimed_at, a.dispatched_at)))::real)
    from attempts a join task_runs t on t.id = a.task_run_id where a.node_id = n.id and a.finished_at is null
  ) end as busy,
  (l.load->>'cpuPercent')::float8 as cpu_percent, (select (policy->>'maxCpuPercent')::int from pools where id = $1) as max_cpu_percent
from nodes n join node_usage u on u.node_id = n.id
left join node_heartbeats l on l.node_id = n.id and l.received_at > clock_timestamp() - make_interval(secs => ${LOAD_COUNTS_SECONDS})
where n.pool_id = $1 and n.removed_at is null
order by n.id`;

/** Reads policy, selector state and nodes of a pool. The expected remaining seconds are read only for the selector that uses them. */
export async function readPool(sql: Sql, poolId: string): Promise<PoolSnapshot> {
  const [[pool], rows] = await roundTrip([
    sql.query<{ policy: PlacementPolicy; selector_state: SelectorState; now_ms: string }>(
      `select policy, selector_state, (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms from pools where id = $1`,
      [poolId],
    ),
    sql.query<NodeRow>(nodesQuery, [poolId]),
  ]);
  const failures = rows.filter((row) => row.failures > 0).map((row) => ({ nodeId: row.id, count: row.failures }));
  return {
    poolId,
    policy: { ...pool!.policy, prefetch: pool!.policy.prefetch ?? defaultPrefetch },
    selectorState: withFailures(pool!.selector_state, failures),
    nodes: rows.map(nodeOf),
    nowMs: Number(pool!.now_ms),
    failures,
  };
}

function withFailures(state: SelectorState, failures: PoolSnapshot['failures']): SelectorState {
  return failures.reduce((lowered, { nodeId, count }) => {
    let each = lowered;
    for (let repeat = 0; repeat < Math.min(count, maxFailures); repeat++) each = recordFailure(each, nodeId);
    return each;
  }, state);
}

function nodeOf(row: NodeRow): NodeSnapshot {
  const measured = row.measured ? measuredPerformance(row.measured) : null;
  return {
    id: row.id,
    name: row.name,
    labels: row.labels,
    platform: row.os,
    runtimes: row.runtimes,
    capacity: { cpuMillis: row.cpu_millis, memoryMib: row.memory_mib, diskMib: row.disk_mib, gpuCount: row.gpu_count },
    reserved: {
      cpuMillis: row.used_cpu_millis,
      memoryMib: row.used_memory_mib,
      diskMib: row.used_disk_mib,
      gpuCount: row.used_gpu_count,
    },
    cordoned: row.cordoned,
    draining: row.draining,
    reachable: row.state === 'online',
    offline: row.state === 'offline',
    heldAttempts: row.used_attempts,
    maxAttempts: row.max_attempts,
    performance: effectivePerformance({ declaredSpeed: row.declared_speed, measured, cpuMillis: row.cpu_millis }),
    busyUntilSeconds: row.busy ?? [],
    takesPrefetch: row.protocol >= PREFETCH_PROTOCOL,
    ...(row.protocol >= SECRETS_PROTOCOL ? {} : { masksSecrets: false }),
    ...(row.protocol >= FILES_PROTOCOL ? {} : { movesFiles: false }),
    ...(row.max_cpu_percent === null || row.cpu_percent === null
      ? {}
      : { cpuPercent: Math.round(row.cpu_percent), maxCpuPercent: row.max_cpu_percent }),
  };
}

export interface Shape {
  hash: string;
  request: ShapedRequest;
  /** What its project may hold; null when anything. */
  quota: Quota | null;
}

/** A loose index scan: one probe per shape that waits, however many task runs there are. */
const shapesQuery = `
with recursive waiting as (
  (select shape_hash from task_runs where pool_id = $1 and state in ('ready', 'blocked') order by shape_hash limit 1)
  union all
  select (select t.shape_hash from task_runs t where t.pool_id = $1 and t.state in ('ready', 'blocked') and t.shape_hash > w.shape_hash order by t.shape_hash limit 1)
  from waiting w where w.shape_hash is not null
)
select s.hash, s.request, case when q.project_id is not null then
  json_build_object('project', p.name, 'cpuMillis', q.cpu_millis, 'memoryMib', q.memory_mib, 'gpuCount', q.gpu_count, 'attempts', q.attempts) end as quota
from waiting w join request_shapes s on s.hash = w.shape_hash
left join project_quotas q on q.project_id = (s.request->>'project')::uuid left join projects p on p.id = q.project_id`;

export const placeableColumns = `
t.id, t.shape_hash, t.fence, t.priority, t.rank, t.expected_seconds, t.avoid_node_ids, (extract(epoch from t.ready_at) * 1000)::float8 as ready_at_ms`;

/** The order of core's `comparePlacementOrder`, word by word that of the index `task_runs_placeable`. */
export const placeableOrderOf = (rows: string) =>
  `order by (${rows}.priority - floor(extract(epoch from ${rows}.ready_at at time zone 'UTC') / ${ageingSeconds})) desc, ${rows}.rank desc, ${rows}.ready_at, ${rows}.id`;

export const placeableOrder = placeableOrderOf('task_runs');

const placeableQuery = `
select ${placeableColumns}
from unnest($2::text[], $3::int[]) as s(hash, most)
cross join lateral (
  select * from task_runs where pool_id = $1 and shape_hash = s.hash and state in ('ready', 'blocked') ${placeableOrder} limit s.most
) t`;

export interface PlaceableRow {
  id: string;
  shape_hash: string;
  fence: number;
  priority: number;
  rank: number;
  expected_seconds: number | null;
  avoid_node_ids: string[];
  ready_at_ms: number;
}

/** The distinct requests among what waits in a pool. */
export function readShapes(sql: Sql, poolId: string): Promise<Shape[]> {
  return sql.query<Shape>(shapesQuery, [poolId]);
}

/**
 * The head of the pool's waiting work: per shape as many as could possibly be placed now, and one more, whose reason to wait stands for the rest. A
 * backlog of one shape therefore never hides another.
 */
export async function readPlaceable(
  sql: Sql,
  pool: PoolSnapshot,
  all: readonly Shape[],
  { takes, busy }: Pick<TakenLimits, 'takes' | 'busy'>,
  maxDecisions: number,
): Promise<PlaceableTaskRun[]> {
  const shapes = all.filter(({ hash }) => !busy.has(hash));
  if (shapes.length === 0) return [];
  const byHash = new Map(shapes.map((shape) => [shape.hash, shape.request]));
  const most = shapes.map((shape) => Math.min(maxDecisions, roomFor(shape.request.resources, pool.nodes)) + 1);
  const rows = await sql.query<PlaceableRow>(placeableQuery, [pool.poolId, shapes.map((shape) => shape.hash), most]);
  return rows.map((row) => placeableOf(row, byHash.get(row.shape_hash)!, takes.get(row.shape_hash)));
}

export function placeableOf(row: PlaceableRow, shape: ShapedRequest, takes?: LimitTake[]): PlaceableTaskRun {
  const { resources, labels, runtime, secrets, files } = shape;
  return {
    shapeHash: row.shape_hash,
    fence: row.fence,
    shape,
    request: {
      taskRunId: row.id,
      ...{ resources, labels, runtime },
      ...(secrets ? { needsMasking: true } : {}),
      ...(files ? { needsFiles: true } : {}),
      priority: row.priority,
      rank: row.rank,
      readyAtMs: row.ready_at_ms,
      avoidNodeIds: row.avoid_node_ids,
      expectedSeconds: row.expected_seconds,
      ...(takes === undefined ? {} : { takes }),
    },
  };
}

/** How many such requests fit at most into what is free; an upper bound, since labels and runtimes are not looked at. */
function roomFor(resources: Resources, nodes: readonly NodeSnapshot[]): number {
  let room = 0;
  for (const node of nodes) {
    let fits = node.maxAttempts - node.heldAttempts;
    for (const name of ['cpuMillis', 'memoryMib', 'diskMib', 'gpuCount'] as const) {
      if (resources[name] > 0) fits = Math.min(fits, Math.floor((node.capacity[name] - node.reserved[name]) / resources[name]));
    }
    room += Math.max(0, fits);
  }
  return room;
}

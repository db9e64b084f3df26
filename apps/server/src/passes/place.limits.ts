import { createHash } from 'node:crypto';
import {
  keepAfterSeconds,
  type LimitHolder,
  type LimitRate,
  type LimitSnapshot,
  type LimitTake,
  type QuotaResource,
  quotaResources,
  type Resources,
} from '@medley/core';
import { roundTrip, type Sql } from '@medley/database';
import type { Shape } from './place.snapshot.js';
import { placeableOrder, placeableOrderOf } from './place.snapshot.js';

const LOCK_CLASS = 7_236_004;
const MAX_NAMED = 3;

/** Beside what a project may hold of each resource, its name. */
export interface Quota {
  project: string;
  cpuMillis: number | null;
  memoryMib: number | null;
  gpuCount: number | null;
  attempts: number | null;
}

/** The limits that the waiting requests of a pool take, locked against other pools until the turn is written. */
export interface TakenLimits {
  limits: LimitSnapshot[];
  /** Takes by shape; a shape that takes none is not in it. */
  takes: ReadonlyMap<string, LimitTake[]>;
  /** Shapes whose limits another pool is taking just now: they are left to the next turn. */
  busy: ReadonlySet<string>;
}

const nothingTaken: TakenLimits = { limits: [], takes: new Map(), busy: new Set() };

interface LimitRow {
  id: string;
  kind: 'limit' | 'mutex';
  name: string;
  slots: number | null;
  taken: number;
  holder_count: number;
  holders: LimitHolder[] | null;
  rate_starts: number | null;
  rate_seconds: number | null;
  started: number | null;
  next_at_ms: number | null;
  awaited: LimitSnapshot['awaited'] | null;
}

// Who holds is counted from the holder rows themselves. The start that has to leave the window first is the one as many before the newest as the rate allows.
const limitsQuery = `
select l.id, l.kind, l.name, l.slots, l.rate_starts, l.rate_seconds, held.taken, held.holder_count, named.holders, rate.started, rate.next_at_ms, other.awaited
from limits l
cross join lateral (
  select coalesce(sum(slots), 0)::int as taken, count(*)::int as holder_count from limit_holders where limit_id = l.id and freed_at is null
) held
cross join lateral (
  select json_agg(json_build_object('taskRunId', h.task_run_id, 'runId', h.run_id, 'workflow', w.name, 'task', t.task_key, 'slots', h.slots)) as holders
  from (
    select a.task_run_id, a.run_id, o.slots from limit_holders o join attempts a on a.id = o.attempt_id
    where o.limit_id = l.id and o.freed_at is null order by o.taken_at, o.attempt_id limit ${MAX_NAMED}
  ) h join task_runs t on t.id = h.task_run_id join runs r on r.id = h.run_id join workflows w on w.id = r.workflow_id
) named
left join lateral (
  select count(*)::int as started, (extract(epoch from min(s.taken_at) + make_interval(secs => l.rate_seconds)) * 1000)::float8 as next_at_ms
  from (
    select taken_at from limit_holders where limit_id = l.id and taken_at > clock_timestamp() - make_interval(secs => l.rate_seconds)
    order by taken_at desc limit l.rate_starts
  ) s
) rate on l.rate_starts is not null
left join lateral (
  select json_build_object('slots', s.slots, 'priority', t.priority, 'readyAtMs', (extract(epoch from t.ready_at) * 1000)::float8) as awaited
  from limit_shapes s cross join pools p cross join lateral (
    select priority, rank, ready_at, id from task_runs where pool_id = p.id and shape_hash = s.shape_hash and state in ('ready', 'blocked')
      and reason->>'code' = 'limit-full' and ready_at < clock_timestamp() - interval '${keepAfterSeconds} seconds' ${placeableOrder} limit 1
  ) t where s.limit_id = l.id and s.slots <= l.slots and p.id <> $2 and p.removed_at is null
    and not exists (select 1 from limit_shapes o join limits m on m.id = o.limit_id where o.shape_hash = s.shape_hash and o.slots > m.slots and m.removed_at is null)
  ${placeableOrderOf('t')} limit 1
) other on true
where l.id = any($1) and l.removed_at is null`;

const quotasQuery = `
select project_id, sum(cpu_millis)::int as "cpuMillis", sum(memory_mib)::int as "memoryMib", sum(gpu_count)::int as "gpuCount", count(*)::int as attempts
from reservations where state <> 'released' and project_id = any($1) group by project_id`;

type QuotaUse = Record<QuotaResource, number> & { project_id: string };

/**
 * What the limits of these shapes look like now. Costs a round trip, and none where no shape takes any. Their locks are tried in sorted order and never waited for; what
 * frees slots needs no lock, since it only makes room.
 */
export async function readLimits(sql: Sql, poolId: string, shapes: readonly Shape[]): Promise<TakenLimits> {
  const limitIds = [...new Set(shapes.flatMap(({ request }) => (request.limits ?? []).map(({ limit }) => limit)))].sort();
  const quotas = new Map(shapes.flatMap(({ request, quota }) => (quota && request.project ? [[request.project, quota] as const] : [])));
  const projectIds = [...quotas.keys()].sort();
  if (limitIds.length + projectIds.length === 0) return nothingTaken;
  const keys = [...limitIds, ...projectIds];
  const [locks, rows, used] = await roundTrip([
    sql.query<{ key: string; held: boolean }>(
      'select k.key, pg_try_advisory_xact_lock($1, k.lock) as held from unnest($2::text[], $3::int[]) as k(key, lock)',
      [LOCK_CLASS, keys, keys.map(lockOf)],
    ),
    sql.query<LimitRow>(limitsQuery, [limitIds, poolId]),
    sql.query<QuotaUse>(quotasQuery, [projectIds]),
  ]);
  const held = new Set(locks.filter((lock) => lock.held).map(({ key }) => key));
  const limits = [...rows.map(limitOf), ...quotasOf(quotas, used)];
  const takes = takesOf(shapes, new Set(limits.map(({ id }) => id)));
  const isBusy = ({ hash, request }: Shape) =>
    takes.has(hash) &&
    ((request.limits ?? []).some(({ limit }) => !held.has(limit)) || (quotas.has(request.project ?? '') && !held.has(request.project!)));
  return { limits, takes, busy: new Set(shapes.filter(isBusy).map(({ hash }) => hash)) };
}

function limitOf(row: LimitRow): LimitSnapshot {
  const { id, kind, name, slots, taken, holder_count: holderCount, holders, awaited } = row;
  return {
    ...{ id, kind, name, slots, taken, holders: holders ?? [], holderCount },
    ...(row.rate_starts === null ? {} : { rate: rateOf(row) }),
    ...(awaited ? { awaited } : {}),
  };
}

function rateOf({ rate_starts, rate_seconds, started, next_at_ms }: LimitRow): LimitRate {
  const isSpent = started! >= rate_starts!;
  return { starts: rate_starts!, seconds: rate_seconds!, started: started!, nextAtMs: isSpent ? next_at_ms : null };
}

/** One limit for each resource of which a project has a quota. */
function quotasOf(quotas: ReadonlyMap<string, Quota>, used: readonly QuotaUse[]): LimitSnapshot[] {
  return [...quotas].flatMap(([projectId, quota]) => {
    const use = used.find(({ project_id }) => project_id === projectId);
    return quotaResources.flatMap((resource): LimitSnapshot[] => {
      const slots = quota[resource];
      if (slots === null) return [];
      const id = quotaId(projectId, resource);
      return [{ id, kind: 'quota', name: quota.project, resource, slots, taken: use?.[resource] ?? 0, holders: [], holderCount: 0 }];
    });
  });
}

function takesOf(shapes: readonly Shape[], known: ReadonlySet<string>): Map<string, LimitTake[]> {
  const takes = new Map<string, LimitTake[]>();
  for (const { hash, request } of shapes) {
    const { project } = request;
    const ofQuota = project === undefined ? [] : quotaTakes(project, request.resources);
    const taken = [...(request.limits ?? []), ...ofQuota].filter(({ limit }) => known.has(limit));
    if (taken.length > 0) takes.set(hash, taken);
  }
  return takes;
}

function quotaTakes(projectId: string, resources: Resources): LimitTake[] {
  const all = quotaResources.map((resource) => ({
    limit: quotaId(projectId, resource),
    slots: resource === 'attempts' ? 1 : resources[resource],
  }));
  return all.filter(({ slots }) => slots > 0);
}

function quotaId(projectId: string, resource: QuotaResource): string {
  return `${projectId} ${resource}`;
}

/** The second number of the advisory lock under which a limit or a quota is taken. */
function lockOf(key: string): number {
  return createHash('sha256').update(key).digest().readInt32BE(0);
}

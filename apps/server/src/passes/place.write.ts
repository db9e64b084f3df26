import {
  inEnglish,
  type Placement,
  type PlacementRequest,
  type PlacementTurnInput,
  type PlacementTurnResult,
  phrase,
  type ResourceName,
  type Wait,
} from '@medley/core';
import { roundTrip, type Sql, uuidv7 } from '@medley/database';
import type { NodeDispatch } from '../dispatch-queue/node-queues.js';
import type { ShapedRequest } from '../runs/request-shape.js';
import { attemptsAccepting, taskRunsAccepting } from '../runs/state-lists.js';
import type { WaitingAttempt } from './place.backlog.js';
import type { PlaceableTaskRun, PoolSnapshot } from './place.snapshot.js';

/** After so long without room a prefetched attempt is taken back: whatever it waits behind should have ended long before. */
const PREFETCH_WAIT_SECONDS = 5;

export interface WrittenDispatch extends NodeDispatch {
  runId: string;
}

export interface SendTimes {
  /** After how many seconds an unclaimed message is sent again. */
  resendSeconds: number;
  /** After how many seconds the long poll may hand the attempt out. */
  pullAfterSeconds: number;
}

// What moves off a backlog is withdrawn there first; then it is placed like the rest. All task runs of the turn are locked together, in their order.
const lockStatement = 'select id from task_runs where id = any($1) order by id for update';

const takenOff = phrase('taken-off-node');
const moveStatement = `
with locked as (
  select id, task_run_id, fence from attempts where id = any($1) and state in ${attemptsAccepting('claim')} order by id for update
), withdrawn as (
  update attempts a set state = 'lost', finished_at = clock_timestamp(), next_send_at = null, pull_from = null,
    detail = '${inEnglish(takenOff)}', explanation = '${JSON.stringify(takenOff)}'
  from locked l where a.id = l.id
)
update task_runs t set state = 'ready' from locked l where t.id = l.task_run_id and t.fence = l.fence and t.state in ${taskRunsAccepting('withdraw')}`;

// One statement: the whole turn costs one round trip. Rows are locked in id order (task_runs, then node_usage); a task run whose state or fence changed
// since the snapshot is left out of everything that follows.
const placeStatement = `
with input as (
  select * from unnest($1::uuid[], $2::int[], $3::uuid[], $4::uuid[], $5::int[], $6::int[], $7::int[], $8::int[], $9::int[], $10::jsonb[], $18::bool[], $19::uuid[])
    as i(task_run_id, fence, attempt_id, node_id, cpu_millis, memory_mib, disk_mib, gpu_count, ordinal, decision, prefetched, project_id)
), locked as (
  select t.id from task_runs t join input i on i.task_run_id = t.id
  where t.state in ('ready', 'blocked') and t.fence = i.fence
  order by t.id for update of t
), moved as (
  update task_runs t set state = 'dispatched', fence = t.fence + 1, reason = null
  from locked l where t.id = l.id
  returning t.id, t.run_id, t.fence
), placed as (
  select m.run_id, m.fence as new_fence, i.* from moved m join input i on i.task_run_id = m.id
), turn as (
  insert into placement_turns (id, pool_id, input) values ($11, $12, $13)
), new_attempts as (
  insert into attempts (id, task_run_id, run_id, node_id, fence, state, send_no, prefetched, next_send_at, pull_from)
  select attempt_id, task_run_id, run_id, node_id, new_fence, 'dispatched', 1, prefetched,
    clock_timestamp() + make_interval(secs => case when prefetched then ${PREFETCH_WAIT_SECONDS} else $14 end), clock_timestamp() + make_interval(secs => $15)
  from placed
), new_reservations as (
  insert into reservations (attempt_id, node_id, cpu_millis, memory_mib, disk_mib, gpu_count, project_id)
  select attempt_id, node_id, cpu_millis, memory_mib, disk_mib, gpu_count, project_id from placed where not prefetched
), new_holders as (
  insert into limit_holders (attempt_id, limit_id, slots)
  select p.attempt_id, l.limit_id, l.slots from placed p join unnest($20::uuid[], $21::uuid[], $22::int[]) as l(attempt_id, limit_id, slots) on l.attempt_id = p.attempt_id
), new_decisions as (
  insert into placement_decisions (attempt_id, turn_id, ordinal, decision) select attempt_id, $11, ordinal, decision from placed
), wanted as (
  select node_id, sum(cpu_millis)::int as cpu_millis, sum(memory_mib)::int as memory_mib, sum(disk_mib)::int as disk_mib,
    sum(gpu_count)::int as gpu_count, sum(attempts)::int as attempts, sum(failures)::int as failures
  from (
    select node_id, cpu_millis, memory_mib, disk_mib, gpu_count, 1 as attempts, 0 as failures from placed where not prefetched
    union all select node_id, 0, 0, 0, 0, 0, count from unnest($16::uuid[], $17::int[]) as f(node_id, count)
  ) each group by node_id
), locked_usage as (
  select node_id from node_usage where node_id in (select node_id from wanted) order by node_id for update
), used as (
  update node_usage u set cpu_millis = u.cpu_millis + w.cpu_millis, memory_mib = u.memory_mib + w.memory_mib, disk_mib = u.disk_mib + w.disk_mib,
    gpu_count = u.gpu_count + w.gpu_count, attempts = u.attempts + w.attempts, failures = u.failures - w.failures
  from wanted w join locked_usage l on l.node_id = w.node_id where u.node_id = w.node_id
  returning u.*
), exceeded as (
  select n.name from used u join nodes n on n.id = u.node_id join wanted w on w.node_id = n.id
  where u.cpu_millis > n.cpu_millis and w.cpu_millis > 0 or u.memory_mib > n.memory_mib and w.memory_mib > 0
    or u.disk_mib > n.disk_mib and w.disk_mib > 0 or u.gpu_count > n.gpu_count and w.gpu_count > 0 or u.attempts > n.max_attempts and w.attempts > 0
)
select p.task_run_id, p.attempt_id, p.node_id, p.run_id, p.new_fence as fence, p.prefetched, p.cpu_millis as "cpuMillis",
  p.memory_mib as "memoryMib", p.disk_mib as "diskMib", p.gpu_count as "gpuCount", (select name from exceeded limit 1) as exceeded
from placed p`;

interface PlacedRow {
  task_run_id: string;
  attempt_id: string;
  node_id: string;
  run_id: string;
  fence: number;
  prefetched: boolean;
  cpuMillis: number;
  memoryMib: number;
  diskMib: number;
  gpuCount: number;
  exceeded: string | null;
}

const rememberStatement = 'update pools set selector_state = $2 where id = $1';

/** What a turn is written from: its input and result, and the rows behind them. */
export interface DecidedTurn {
  pool: PoolSnapshot;
  input: PlacementTurnInput;
  result: Pick<PlacementTurnResult, 'placements' | 'moves' | 'prefetches' | 'selectorState'>;
  placeable: readonly PlaceableTaskRun[];
  backlog: readonly WaitingAttempt[];
}

/**
 * Writes a turn: fences, attempts, reservations of all but the prefetched, decisions and the selector's new state. Returns what to send after the commit. Throws
 * when a node would hold more than its capacity (it shrank since the snapshot), so that the transaction is rolled back and the turn decided anew.
 */
export async function writePlacements(sql: Sql, turn: DecidedTurn, times: SendTimes): Promise<WrittenDispatch[]> {
  const { pool, result } = turn;
  const remembers = pool.policy.selector === 'smooth-weighted-round-robin';
  const taken = remembers ? pool.failures : []; // the new state holds them; those that came meanwhile stay on the counters
  const withdrawn = result.moves.length > 0 ? withdrawMoved(sql, turn) : [];
  const placed = sql.query<PlacedRow>(placeStatement, placeValues(turn, taken, times));
  const remembered = remembers ? [sql.query(rememberStatement, [pool.poolId, JSON.stringify(result.selectorState)])] : [];
  await roundTrip([...withdrawn, placed, ...remembered]);
  const rows = await placed;
  const exceeded = rows.find((row) => row.exceeded)?.exceeded;
  if (exceeded) throw new Error(`node ${exceeded} would hold more than its capacity; the turn is decided anew`);
  return rows.map(dispatchOf);
}

function withdrawMoved(sql: Sql, { result, backlog }: DecidedTurn): Promise<unknown>[] {
  const moved = new Set(result.moves.map(({ taskRunId }) => taskRunId));
  const attemptIds = backlog.filter(({ request }) => moved.has(request.taskRunId)).map(({ attemptId }) => attemptId);
  const taskRunIds = [...result.placements, ...result.prefetches, ...result.moves].map(({ taskRunId }) => taskRunId);
  return [sql.query(lockStatement, [taskRunIds]), sql.query(moveStatement, [attemptIds])];
}

function placeValues(
  { pool, input, result, placeable, backlog }: DecidedTurn,
  taken: PoolSnapshot['failures'],
  times: SendTimes,
): unknown[] {
  const { placements, moves, prefetches } = result;
  const decided: Placement[] = [...placements, ...moves, ...prefetches];
  const byId = new Map([...placeable, ...backlog].map((each) => [each.request.taskRunId, each]));
  const facts = decided.map((placement) => byId.get(placement.taskRunId)!);
  const attemptIds = decided.map(() => uuidv7());
  const held = facts.flatMap(({ request, shape }, index) => holdersOf(attemptIds[index]!, request, shape));
  const amount = (name: ResourceName) => facts.map(({ request }) => request.resources[name]);
  return [
    decided.map((placement) => placement.taskRunId),
    facts.map((each) => each.fence),
    attemptIds,
    decided.map((placement) => placement.nodeId),
    amount('cpuMillis'),
    amount('memoryMib'),
    amount('diskMib'),
    amount('gpuCount'),
    decided.map((placement) => placement.decision.ordinal),
    decided.map((placement) => JSON.stringify(placement.decision)),
    uuidv7(),
    pool.poolId,
    JSON.stringify(input),
    times.resendSeconds,
    times.pullAfterSeconds,
    taken.map(({ nodeId }) => nodeId),
    taken.map(({ count }) => count),
    decided.map((_, index) => index >= placements.length + moves.length),
    facts.map(({ shape }) => shape.project ?? null),
    held.map(({ attemptId }) => attemptId),
    held.map(({ limit }) => limit),
    held.map(({ slots }) => slots),
  ];
}

/** What a placement takes of limits; a quota is held by the reservation itself. */
function holdersOf(attemptId: string, { takes = [] }: PlacementRequest, { limits = [] }: ShapedRequest) {
  if (takes.length === 0) return [];
  const named = new Set(limits.map(({ limit }) => limit));
  return takes.filter(({ limit }) => named.has(limit)).map((take) => ({ attemptId, ...take }));
}

function dispatchOf({ prefetched, cpuMillis, memoryMib, diskMib, gpuCount, ...row }: PlacedRow): WrittenDispatch {
  return {
    taskRunId: row.task_run_id,
    attemptId: row.attempt_id,
    nodeId: row.node_id,
    runId: row.run_id,
    fence: row.fence,
    sendNo: 1,
    ...(prefetched ? { awaits: { cpuMillis, memoryMib, diskMib, gpuCount } } : {}),
  };
}

const blockStatement = `
with waits as (select * from unnest($2::text[], $3::text[], $4::text[], $5::jsonb[]) as w(shape_hash, code, text, "values")),
locked as (
  select t.id, w.code, w.text, w."values" from task_runs t join waits w on w.shape_hash = t.shape_hash
  where t.pool_id = $1 and (t.state = 'ready' and t.ready_at < clock_timestamp() - interval '1 second' or t.state = 'blocked' and t.reason->>'code' <> w.code)
  order by t.id for update of t skip locked
)
update task_runs t set state = 'blocked', reason = jsonb_build_object('code', l.code, 'text', l.text, 'values', l."values") from locked l where t.id = l.id
returning t.id, t.run_id`;

const tellStatement = `
insert into placement_waits as p (pool_id, shape_hash, code, text, "values")
select $1, shape_hash, code, text, "values" from unnest($2::text[], $3::text[], $4::text[], $5::jsonb[]) as w(shape_hash, code, text, "values") order by shape_hash
on conflict (pool_id, shape_hash) do update set code = excluded.code, text = excluded.text, "values" = excluded."values", updated_at = clock_timestamp()
where (p.code, p.text) is distinct from (excluded.code, excluded.text)`;

/**
 * Stores why whole shapes wait: the state and the kind of reason with each task run, what exactly is in the way (which changes with every placement) once per
 * shape. Work that became ready within the last second is left alone: most of it is placed before anyone could read the reason, and
 * a state change costs a write.
 */
export async function writeWaits(
  sql: Sql,
  poolId: string,
  waits: readonly (Pick<Wait, 'code' | 'reason' | 'values'> & { shapeHash: string })[],
): Promise<{ id: string; run_id: string }[]> {
  const column = (of: (wait: (typeof waits)[number]) => string) => waits.map(of);
  const values = [
    poolId,
    column((w) => w.shapeHash),
    column((w) => w.code),
    column((w) => w.reason),
    column((w) => JSON.stringify(w.values)),
  ];
  const [blocked] = await roundTrip([sql.query<{ id: string; run_id: string }>(blockStatement, values), sql.query(tellStatement, values)]);
  return blocked;
}

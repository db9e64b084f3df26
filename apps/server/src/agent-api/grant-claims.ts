import type { Claim } from '@medley/contracts';
import type { ExpressionValue, ParameterValues } from '@medley/core';
import { inOneRoundTrip, sqlOutsideTransaction } from '@medley/database';
import type { DataSource } from 'typeorm';
import { attemptsAccepting, runsAccepting, taskRunsAccepting } from '../runs/state-lists.js';

/** A claim with the node that makes it. */
export interface NodeClaim extends Claim {
  nodeId: string;
}

export interface GrantedRow {
  attempt_id: string;
  claim_id: string;
  node_id: string;
  /** Tries of the retry policy that ended before this one. */
  tries: number;
  run_id: string;
  task_key: string;
  workflow_id: string;
  workflow_version: number;
  project_id: string;
  project: string;
  workflow: string;
  parameters: ParameterValues;
  fire_at: Date | null;
  zone: string | null;
  /** -1 for what is no instance of a mapped task. */
  item: number;
  item_value: ExpressionValue;
  /** What the node's agent speaks. */
  protocol: number;
  first_claim: boolean;
}

/** What the agent has beyond the timeout before the server steps in: the agent enforces it, and stopping takes its grace. */
const DEADLINE_MARGIN_SECONDS = 40;
/** Postgres `int`; a fence beyond it was never handed out. */
const MAX_FENCE = 0x7fffffff;

const claimInput = `
select * from unnest($1::uuid[], $2::uuid[], $3::int[], $4::uuid[], $5::text[], $6::uuid[]) as i(attempt_id, task_run_id, fence, claim_id, carrier, node_id)`;

const startRuns = `
with input as (${claimInput}), queued as (
  select r.id from runs r where r.state in ${runsAccepting('start')} and r.id in (
    select a.run_id from attempts a join input i on i.attempt_id = a.id
    where a.task_run_id = i.task_run_id and a.fence = i.fence and a.node_id = i.node_id and a.state in ${attemptsAccepting('claim')}
  ) order by r.id for no key update
)
update runs r set state = 'running', started_at = clock_timestamp() from queued q where r.id = q.id`;

const grantedColumns = `
g.id as attempt_id, g.claim_id, g.node_id, g.run_id, t.task_key, t.tries, r.workflow_id, r.workflow_version, r.project_id, p.name as project,
w.name as workflow, r.parameters, r.fire_at, s.zone, t.item, t.item_value, n.protocol`;

const grantedJoins = `
join nodes n on n.id = g.node_id join task_runs t on t.id = g.task_run_id join runs r on r.id = g.run_id join projects p on p.id = r.project_id join workflows w on w.id = r.workflow_id
left join schedules s on s.id = r.schedule_id`;

const lockedTaskRuns = `
select t.id, t.timeout_seconds, t.shape_hash from task_runs t join input i on i.task_run_id = t.id
where t.state in ${taskRunsAccepting('claim')} and t.fence = i.fence order by t.id for update of t`;

const isClaimed = `
a.id = i.attempt_id and a.task_run_id = i.task_run_id and a.fence = i.fence and a.node_id = i.node_id and a.state in ${attemptsAccepting('claim')}`;

const startedColumns = `
state = 'running', claim_id = i.claim_id, carrier = i.carrier, claimed_at = clock_timestamp(), next_send_at = null, pull_from = null,
deadline_at = clock_timestamp() + make_interval(secs => l.timeout_seconds + ${DEADLINE_MARGIN_SECONDS})`;

const grantStatement = `
with input as (${claimInput}), locked as (${lockedTaskRuns}), granted as (
  update attempts a set ${startedColumns}
  from input i join locked l on l.id = i.task_run_id where ${isClaimed} and not a.prefetched
  returning a.id, a.task_run_id, a.run_id, a.claim_id, a.node_id
), started as (
  update task_runs t set state = 'running', started_at = coalesce(t.started_at, clock_timestamp()) from granted g where t.id = g.task_run_id
)
select ${grantedColumns}, true as first_claim from granted g ${grantedJoins}`;

// The same where some of the attempts were prefetched: these take their reservation now, in the order of the locks, each if it fits beside those before it. One
// that does not fit is not granted and stays as it is. Rows are locked as everywhere: task runs, attempts, then the nodes' counters.
const grantPrefetchedStatement = `
with input as (${claimInput}), locked as (${lockedTaskRuns}), valid as (
  select a.id, a.node_id, a.prefetched, i.claim_id, i.carrier, l.id as task_run_id, l.timeout_seconds, s.request->'resources' as wanted, (s.request->>'project')::uuid as project_id
  from attempts a join input i on ${isClaimed} join locked l on l.id = i.task_run_id join request_shapes s on s.hash = l.shape_hash
  order by l.id for update of a
), wanted as (
  select id, node_id, (wanted->>'cpuMillis')::int as cpu_millis, (wanted->>'memoryMib')::int as memory_mib, (wanted->>'diskMib')::int as disk_mib,
    (wanted->>'gpuCount')::int as gpu_count, project_id from valid where prefetched
), room as (
  select u.node_id, n.cpu_millis - u.cpu_millis as cpu_millis, n.memory_mib - u.memory_mib as memory_mib, n.disk_mib - u.disk_mib as disk_mib,
    n.gpu_count - u.gpu_count as gpu_count, n.max_attempts - u.attempts as attempts
  from node_usage u join nodes n on n.id = u.node_id
  where u.node_id in (select node_id from wanted) and not n.cordoned and not n.draining and n.state = 'online' order by u.node_id for update of u
), summed as (
  select id, node_id, cpu_millis, memory_mib, disk_mib, gpu_count, project_id, sum(cpu_millis) over upto as cpu_sum, sum(memory_mib) over upto as memory_sum,
    sum(disk_mib) over upto as disk_sum, sum(gpu_count) over upto as gpu_sum, row_number() over upto as place
  from wanted window upto as (partition by node_id order by id)
), fitting as (
  select w.* from summed w join room r on r.node_id = w.node_id
  where (w.cpu_millis = 0 or w.cpu_sum <= r.cpu_millis) and (w.memory_mib = 0 or w.memory_sum <= r.memory_mib)
    and (w.disk_mib = 0 or w.disk_sum <= r.disk_mib) and (w.gpu_count = 0 or w.gpu_sum <= r.gpu_count) and w.place <= r.attempts
), reserved as (
  insert into reservations (attempt_id, node_id, cpu_millis, memory_mib, disk_mib, gpu_count, project_id)
  select id, node_id, cpu_millis, memory_mib, disk_mib, gpu_count, project_id from fitting
), used as (
  update node_usage u set cpu_millis = u.cpu_millis + f.cpu_millis, memory_mib = u.memory_mib + f.memory_mib, disk_mib = u.disk_mib + f.disk_mib,
    gpu_count = u.gpu_count + f.gpu_count, attempts = u.attempts + f.attempts
  from (
    select node_id, sum(cpu_millis)::int as cpu_millis, sum(memory_mib)::int as memory_mib, sum(disk_mib)::int as disk_mib, sum(gpu_count)::int as gpu_count,
      count(*)::int as attempts from fitting group by node_id
  ) f where u.node_id = f.node_id
), granted as (
  update attempts a set ${startedColumns}
  from valid i join locked l on l.id = i.task_run_id where a.id = i.id and (not i.prefetched or i.id in (select id from fitting))
  returning a.id, a.task_run_id, a.run_id, a.claim_id, a.node_id
), started as (
  update task_runs t set state = 'running', started_at = coalesce(t.started_at, clock_timestamp()) from granted g where t.id = g.task_run_id
)
select ${grantedColumns}, true as first_claim from granted g ${grantedJoins}`;

const waitingStatement = `
with input as (${claimInput})
select a.id as attempt_id, i.claim_id, a.node_id from attempts a join input i on ${isClaimed} where a.prefetched`;

// A statement of its own, after the grants: while they waited for a lock, another server may have granted the very same claim, and their snapshot is older.
const repeatedStatement = `
with input as (${claimInput}), repeated as (
  select a.id, a.task_run_id, a.run_id, a.claim_id, a.node_id from attempts a join input i on i.attempt_id = a.id
  where a.claim_id = i.claim_id and a.node_id = i.node_id and a.task_run_id = i.task_run_id and a.fence = i.fence and a.state in ${attemptsAccepting('fail')}
)
select ${grantedColumns}, false as first_claim from repeated g ${grantedJoins}`;

/** Which claim an answer belongs to: the same attempt may be claimed by several at once, and one of them is granted. */
export function claimKey(attemptId: string, claimId: string, nodeId: string): string {
  return `${attemptId} ${claimId} ${nodeId}`.toLowerCase();
}

export interface ClaimKeys {
  attempt_id: string;
  claim_id: string;
  node_id: string;
}

/**
 * Grants what is a valid dispatch of the calling node, or was granted to this very claim before; a prefetched one if its node has room. `waiting` are valid and find
 * no room yet. What is refused is in neither list. Granting takes one round trip; looking at what was not granted takes another, after the commit.
 */
export async function grantClaims(
  source: DataSource,
  claims: readonly NodeClaim[],
): Promise<{ granted: GrantedRow[]; waiting: ClaimKeys[] }> {
  const possible = claims.filter(({ fence }) => fence <= MAX_FENCE);
  if (possible.length === 0) return { granted: [], waiting: [] };
  const prefetched = possible.some((claim) => claim.prefetched);
  const [, granted] = await inOneRoundTrip<[unknown[], GrantedRow[]]>(source, (sql) => [
    sql.query(startRuns, columnsOf(possible)),
    sql.query<GrantedRow>(prefetched ? grantPrefetchedStatement : grantStatement, columnsOf(possible)),
  ]);
  const answered = new Set(granted.map((row) => claimKey(row.attempt_id, row.claim_id, row.node_id)));
  const others = possible.filter(({ attemptId, claimId, nodeId }) => !answered.has(claimKey(attemptId, claimId, nodeId)));
  if (others.length === 0) return { granted, waiting: [] };
  const sql = sqlOutsideTransaction(source);
  const [repeated, waiting] = await Promise.all([
    sql.query<GrantedRow>(repeatedStatement, columnsOf(others)),
    prefetched ? sql.query<ClaimKeys>(waitingStatement, columnsOf(others)) : [],
  ]);
  return { granted: [...granted, ...repeated], waiting };
}

function columnsOf(claims: readonly NodeClaim[]): unknown[][] {
  return [
    claims.map((claim) => claim.attemptId),
    claims.map((claim) => claim.taskRunId),
    claims.map((claim) => claim.fence),
    claims.map((claim) => claim.claimId),
    claims.map((claim) => claim.carrier),
    claims.map((claim) => claim.nodeId),
  ];
}

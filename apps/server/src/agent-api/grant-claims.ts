import type { Claim } from '@medley/contracts';
import type { ParameterValues } from '@medley/core';
import { roundTrip, type Sql } from '@medley/database';
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
  ) order by r.id for update
)
update runs r set state = 'running', started_at = clock_timestamp() from queued q where r.id = q.id`;

const grantedColumns = `
g.id as attempt_id, g.claim_id, g.node_id, g.run_id, t.task_key, t.tries, r.workflow_id, r.workflow_version, r.project_id, p.name as project,
w.name as workflow, r.parameters, r.fire_at, s.zone`;

const grantedJoins = `
join task_runs t on t.id = g.task_run_id join runs r on r.id = g.run_id join projects p on p.id = r.project_id join workflows w on w.id = r.workflow_id
left join schedules s on s.id = r.schedule_id`;

const grantStatement = `
with input as (${claimInput}), locked as (
  select t.id, t.timeout_seconds from task_runs t join input i on i.task_run_id = t.id
  where t.state in ${taskRunsAccepting('claim')} and t.fence = i.fence order by t.id for update of t
), granted as (
  update attempts a set state = 'running', claim_id = i.claim_id, carrier = i.carrier, claimed_at = clock_timestamp(), next_send_at = null, pull_from = null,
    deadline_at = clock_timestamp() + make_interval(secs => l.timeout_seconds + ${DEADLINE_MARGIN_SECONDS})
  from input i join locked l on l.id = i.task_run_id
  where a.id = i.attempt_id and a.task_run_id = i.task_run_id and a.fence = i.fence and a.node_id = i.node_id and a.state in ${attemptsAccepting('claim')}
  returning a.id, a.task_run_id, a.run_id, a.claim_id, a.node_id
), started as (
  update task_runs t set state = 'running', started_at = coalesce(t.started_at, clock_timestamp()) from granted g where t.id = g.task_run_id
)
select ${grantedColumns}, true as first_claim from granted g ${grantedJoins}`;

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

/** Grants what is a valid dispatch of the calling node, or was granted to this very claim before. What is refused is not in the answer. */
export async function grantClaims(sql: Sql, claims: readonly NodeClaim[]): Promise<GrantedRow[]> {
  const possible = claims.filter(({ fence }) => fence <= MAX_FENCE);
  if (possible.length === 0) return [];
  const [, granted] = await roundTrip([
    sql.query(startRuns, columnsOf(possible)),
    sql.query<GrantedRow>(grantStatement, columnsOf(possible)),
  ]);
  const answered = new Set(granted.map((row) => claimKey(row.attempt_id, row.claim_id, row.node_id)));
  const others = possible.filter(({ attemptId, claimId, nodeId }) => !answered.has(claimKey(attemptId, claimId, nodeId)));
  if (others.length === 0) return granted;
  return [...granted, ...(await sql.query<GrantedRow>(repeatedStatement, columnsOf(others)))];
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

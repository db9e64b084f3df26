import type { Reason, RunKeys } from '@medley/contracts';
import type { Sql } from '@medley/database';
import type { VisibleProjects } from '../access/caller.js';
import { RUN_QUEUED } from './admit-new-runs.js';

const MAX_NAMED = 3;
const MAX_KEYS = 200;
const MAX_RUNS_OF_KEY = 20;

interface AdmissionRow {
  key: string;
  limit: number;
  skipped: boolean;
  before: number;
  admitted: number;
  holders: { runId: string }[];
}

const waitingQuery = `
select a.key, a.run_limit as "limit", a.skipped,
  (select count(*)::int from run_admissions o where o.workflow_id = a.workflow_id and o.key = a.key and o.ended_at is null and o.admitted_at is null
    and o.position < a.position) as before,
  (select count(*)::int from run_admissions o where o.workflow_id = a.workflow_id and o.key = a.key and o.ended_at is null and o.admitted_at is not null) as admitted,
  coalesce((select json_agg(json_build_object('runId', h.run_id)) from (
    select run_id from run_admissions o where o.workflow_id = a.workflow_id and o.key = a.key and o.ended_at is null and o.admitted_at is not null
    order by o.position limit ${MAX_NAMED}
  ) h), '[]') as holders
from run_admissions a where a.run_id = $1 and a.admitted_at is null and (a.skipped or a.ended_at is null)`;

/** Why a run has not begun: its key had no room. Null for one that waits for nothing of the kind. */
export async function readAdmissionReason(sql: Sql, runId: string): Promise<Reason | null> {
  const [row] = await sql.query<AdmissionRow>(waitingQuery, [runId]);
  return row ? admissionReason(row) : null;
}

function admissionReason({ key, limit, skipped, before, admitted, holders }: AdmissionRow): Reason {
  const runs = `${limit} run${limit === 1 ? '' : 's'}`;
  if (skipped)
    return { code: 'run-skipped', text: `skipped: the key "${key}" allows ${runs} at a time, and it had them`, values: { key, limit } };
  const more = admitted - holders.length;
  const named = holders.map(({ runId }) => `run ${runId.slice(-8)}`).join(', ');
  const heldBy = holders.length === 0 ? '' : `, held by ${named}${more > 0 ? ` and ${more} more` : ''}`;
  const ahead = before > 0 ? `; ${before} wait${before === 1 ? 's' : ''} before it` : '';
  const text = `the key "${key}" allows ${runs} at a time: ${admitted} of ${limit}${heldBy}${ahead}`;
  return { code: RUN_QUEUED, text, values: { key, limit, admitted, holders, more, before } };
}

const keysQuery = `
select k.workflow_id as "workflowId", w.name as workflow, w.project_id as "projectId", p.name as project, k.key, k.run_limit as "limit",
  k.admitted as "runningCount", k.waiting as "waitingCount", runs.running, runs.waiting
from (
  select a.workflow_id, a.key, max(a.run_limit) as run_limit, count(a.admitted_at)::int as admitted, (count(*) - count(a.admitted_at))::int as waiting
  from run_admissions a where a.ended_at is null group by a.workflow_id, a.key
) k join workflows w on w.id = k.workflow_id join projects p on p.id = w.project_id and p.removed_at is null
cross join lateral (
  select coalesce(json_agg(o.run order by o.position) filter (where o.admitted), '[]') as running,
    coalesce(json_agg(o.run order by o.position) filter (where not o.admitted), '[]') as waiting
  from (
    select a.position, a.admitted_at is not null as admitted,
      json_build_object('runId', a.run_id, 'state', r.state, 'since', to_char(coalesce(a.admitted_at, r.created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as run
    from run_admissions a join runs r on r.id = a.run_id where a.workflow_id = k.workflow_id and a.key = k.key and a.ended_at is null
    order by a.position limit ${MAX_RUNS_OF_KEY}
  ) o
) runs
where ($1::uuid[] is null or w.project_id = any($1)) order by k.waiting desc, p.name, w.name, k.key limit ${MAX_KEYS}`;

/** The keys under which runs are under way or wait, those with the longest queues first; the first few runs of each. */
export async function listRunKeys(sql: Sql, projects: VisibleProjects): Promise<RunKeys> {
  return { items: await sql.query<RunKeys['items'][number]>(keysQuery, [projects]) };
}

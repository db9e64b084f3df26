import { createHash } from 'node:crypto';
import { type ConcurrencyRule, decideAdmission } from '@medley/core';
import { roundTrip, type Sql } from '@medley/database';

const LOCK_CLASS = 7_236_005;

/** The reason of a task that would be ready if its run were not waiting for its key. */
export const RUN_QUEUED = 'run-queued';

export interface NewKeyedRun extends ConcurrencyRule {
  runId: string;
  workflowId: string;
  key: string;
}

export type Admission = 'start' | 'wait' | 'skip';

/** The two numbers of the advisory lock under which runs of a key are created and admitted. It comes before every row lock. */
export function keyLockOf(workflowId: string, key: string): [number, number] {
  return [LOCK_CLASS, createHash('sha256').update(`${workflowId} ${key}`).digest().readInt32BE(0)];
}

/**
 * Decides for new runs with a key whether they start, wait or are skipped, and stores it. The keys stay locked until the transaction ends, so that two servers that create
 * runs of one key see each other.
 */
export async function admitNewRuns(sql: Sql, runs: readonly NewKeyedRun[]): Promise<Map<string, Admission>> {
  if (runs.length === 0) return new Map();
  const locks = [...new Set(runs.map(({ workflowId, key }) => keyLockOf(workflowId, key)[1]))].sort((left, right) => left - right);
  const [, open] = await roundTrip([
    sql.query('select pg_advisory_xact_lock($1, k) from unnest($2::int[]) as k', [LOCK_CLASS, locks]),
    sql.query<{ workflow_id: string; key: string; admitted: number; waiting: number }>(
      `select a.workflow_id, a.key, count(a.admitted_at)::int as admitted, (count(*) - count(a.admitted_at))::int as waiting
       from (select distinct * from unnest($1::uuid[], $2::text[]) as k(workflow_id, key)) k
       join run_admissions a on a.workflow_id = k.workflow_id and a.key = k.key and a.ended_at is null group by a.workflow_id, a.key`,
      [runs.map(({ workflowId }) => workflowId), runs.map(({ key }) => key)],
    ),
  ]);
  const counts = new Map(open.map(({ workflow_id, key, admitted, waiting }) => [`${workflow_id} ${key}`, { admitted, waiting }]));
  const admissions = new Map<string, Admission>();
  for (const run of runs) {
    const name = `${run.workflowId} ${run.key}`;
    const others = counts.get(name) ?? { admitted: 0, waiting: 0 };
    const admission = decideAdmission(run, others);
    if (admission === 'start') others.admitted += 1;
    if (admission === 'wait') others.waiting += 1;
    counts.set(name, others);
    admissions.set(run.runId, admission);
  }
  await storeAdmissions(sql, runs, admissions);
  return admissions;
}

function storeAdmissions(sql: Sql, runs: readonly NewKeyedRun[], admissions: ReadonlyMap<string, Admission>): Promise<unknown> {
  const is = (admission: Admission) => runs.map(({ runId }) => admissions.get(runId) === admission);
  return sql.query(
    `insert into run_admissions (run_id, workflow_id, key, run_limit, on_conflict, skipped, admitted_at, ended_at)
     select run_id, workflow_id, key, run_limit, on_conflict, skips, case when starts then clock_timestamp() end, case when skips then clock_timestamp() end
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[], $5::text[], $6::bool[], $7::bool[])
       as a(run_id, workflow_id, key, run_limit, on_conflict, starts, skips)`,
    [
      runs.map(({ runId }) => runId),
      runs.map(({ workflowId }) => workflowId),
      runs.map(({ key }) => key),
      runs.map(({ limit }) => limit),
      runs.map(({ onConflict }) => onConflict),
      is('start'),
      is('skip'),
    ],
  );
}

import { endingEvent, type FinalRunState, finalRunState, nextRunState, type RunState, type TaskRunState } from '@medley/core';
import type { Sql } from '@medley/database';
import { noteArrivals } from '../upstreams/arrivals.js';

export interface FinishedRun {
  id: string;
  projectId: string;
  state: FinalRunState;
  /** A schedule holds fires back until this run has ended. */
  isAwaited: boolean;
  /** Some schedule starts runs when those of its workflow have succeeded, and this one has. */
  hasArrived: boolean;
  /** A task of another run waits for its end. */
  isPart: boolean;
}

/**
 * Ends those of the runs in which no task run is live any more and returns them. The caller holds the rows of the runs; runs that have ended already
 * stay as they are.
 */
export async function finishRuns(sql: Sql, runIds: readonly string[]): Promise<FinishedRun[]> {
  if (runIds.length === 0) return [];
  const runs = await sql.query<{ id: string; projectId: string; state: RunState; isNeeded: boolean }>(
    `select id, project_id as "projectId", state, exists (select 1 from schedule_upstreams u where u.workflow_id = r.workflow_id) as "isNeeded"
     from runs r where id = any($1) and finished_at is null order by id`,
    [runIds],
  );
  const counted = await sql.query<{ run_id: string; state: TaskRunState }>(
    'select run_id, state from task_runs where run_id = any($1) and item = -1 group by run_id, state',
    [runs.map((run) => run.id)],
  );
  const finished = runs.flatMap((run) => {
    const states = counted.filter((row) => row.run_id === run.id).map((row) => row.state);
    const final = finalRunState(states, run.state === 'cancelling');
    return final && nextRunState(run.state, endingEvent(final)) === final
      ? [{ id: run.id, projectId: run.projectId, state: final, hasArrived: run.isNeeded && final === 'succeeded' }]
      : [];
  });
  if (finished.length === 0) return [];
  const awaited = await writeEnds(sql, finished);
  const arrived = finished.filter(({ hasArrived }) => hasArrived).map(({ id }) => id);
  if (arrived.length > 0) await noteArrivals(sql, arrived);
  return finished.map((run) => ({
    ...run,
    isAwaited: awaited.get(run.id)?.isAwaited ?? false,
    isPart: awaited.get(run.id)?.isPart ?? false,
  }));
}

type Awaited = Pick<FinishedRun, 'id' | 'isAwaited' | 'isPart'>;

/** Returns what waits for each run. */
async function writeEnds(sql: Sql, finished: readonly Omit<FinishedRun, 'isAwaited' | 'isPart'>[]): Promise<Map<string, Awaited>> {
  const rows = await sql.query<Awaited>(
    `with ended as (
       update runs r set state = e.state, finished_at = clock_timestamp(), open_tasks = 0
       from unnest($1::uuid[], $2::text[]) as e(id, state) where r.id = e.id and r.finished_at is null returning r.id, r.parent_run_id
     ), admissions as (
       update run_admissions a set ended_at = clock_timestamp() from ended e where a.run_id = e.id and a.ended_at is null
     )
     select e.id, exists (select 1 from schedules s where s.held_by_run_id = e.id) as "isAwaited", e.parent_run_id is not null as "isPart" from ended e`,
    [finished.map((run) => run.id), finished.map((run) => run.state)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

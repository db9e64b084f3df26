import type { ActiveRuns, MisfirePolicy, OverlapPolicy, ParameterValues } from '@medley/core';
import type { Sql } from '@medley/database';
import { type TimetableRow, timetableColumns } from '../schedules/schedule-row.js';

/** A schedule that is due, locked by this transaction. */
export interface DueRow extends TimetableRow {
  id: string;
  project_id: string;
  workflow_id: string;
  workflow_version: number;
  overlap: OverlapPolicy;
  jitter_seconds: number;
  parameters: ParameterValues;
  misfire: MisfirePolicy;
  next_fire_at: Date;
  delayed_until: Date | null;
  /** From this fire on it has waited for a run. */
  held_from: Date | null;
  now: Date;
}

// The instant is a subquery because the index is not used for a comparison with a volatile function: every idle schedule would be read.
// The values are those of the locked rows: a schedule edited since the statement began is fired by its new rule.
/** Exported for the test that looks at its plan. */
export const claimDueSchedules = `
with due as (
  select s.id, s.project_id, s.workflow_id, ${timetableColumns}, s.overlap, s.jitter_seconds, s.parameters, s.misfire, s.next_fire_at, s.delayed_until, s.held_from
  from schedules s
  where enabled and removed_at is null and next_fire_at is not null and held_by_run_id is null
    and coalesce(delayed_until, next_fire_at) <= (select clock_timestamp())
  order by coalesce(delayed_until, next_fire_at) limit $1 for no key update skip locked
)
select s.*, w.latest_version as workflow_version, clock_timestamp() as now from due s join workflows w on w.id = s.workflow_id order by s.id`;

// A statement of its own, after the rows are locked: only then does it see every run that another server has started for them.
const activeRuns = `
select s.id, array(select r.id from runs r where r.schedule_id = s.id and r.trigger = 'schedule' and r.finished_at is null order by r.id desc limit 100) as "runIds",
  (select r.id from runs r where r.schedule_id = s.id and r.trigger = 'schedule' and r.finished_at is null and r.state = 'queued'
     order by r.id desc limit 1) as "waitingRunId"
from unnest($1::uuid[]) as s(id)`;

/** By schedule what it has started that has not ended. */
export async function readActiveRuns(sql: Sql, scheduleIds: readonly string[]): Promise<Map<string, ActiveRuns>> {
  if (scheduleIds.length === 0) return new Map();
  const rows = await sql.query<ActiveRuns & { id: string }>(activeRuns, [scheduleIds]);
  return new Map(rows.map(({ id, ...active }) => [id, active]));
}

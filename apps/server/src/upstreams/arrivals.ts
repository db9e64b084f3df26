import { isKnownZone, localDate } from '@medley/core';
import type { Sql } from '@medley/database';

/** A run that has succeeded, with the zone in which its fire time has a date: that of the schedule it belongs to. */
export interface DatedRun {
  workflowId: string;
  scheduleId: string;
  fireAt: Date;
  zone: string;
}

const quarterMs = 900_000;
const columns = 'r.workflow_id as "workflowId", r.schedule_id as "scheduleId", r.fire_at as "fireAt", s.zone';

/** Writes down that runs have succeeded for their dates, in the transaction that ends them. Runs without a fire time have no date. */
export async function noteArrivals(sql: Sql, runIds: readonly string[]): Promise<void> {
  const runs = await sql.query<DatedRun>(
    `select ${columns} from runs r join schedules s on s.id = r.schedule_id where r.id = any($1) and r.fire_at is not null`,
    [runIds],
  );
  await storeArrivals(sql, runs, true);
}

/** Takes over what runs of a workflow that were created since an instant have succeeded. `oldestId` is the lowest id of a run that is created then. */
export async function takeOverArrivals(sql: Sql, workflowId: string, oldestId: string): Promise<void> {
  const runs = await sql.query<DatedRun>(
    `select distinct on (r.schedule_id, date_bin('15 minutes', r.fire_at, '2000-01-01Z')) ${columns} from runs r join schedules s on s.id = r.schedule_id
     where r.workflow_id = $1 and r.id >= $2 and r.state = 'succeeded' and r.fire_at is not null
     order by r.schedule_id, date_bin('15 minutes', r.fire_at, '2000-01-01Z'), r.id`,
    [workflowId, oldestId],
  );
  await storeArrivals(sql, runs, false);
}

/**
 * The dates come from here and not from the database, whose zones may be of another year than those that schedules are read with. A row that is there already is not
 * even tried: the conflict would wait for the pass that updates it, which may wait for what this transaction holds.
 */
async function storeArrivals(sql: Sql, runs: readonly DatedRun[], isNew: boolean): Promise<void> {
  // Where the zone is none that this server knows, a run ends all the same, and counts for no date.
  const dated = runs.filter(({ zone }) => isKnownZone(zone));
  if (dated.length === 0) return;
  await sql.query(
    `insert into upstream_arrivals (workflow_id, schedule_id, day, slot_at, is_new)
     select w, s, d, t, $5 from unnest($1::uuid[], $2::uuid[], $3::date[], $4::timestamptz[]) as a(w, s, d, t)
     where not exists (select 1 from upstream_arrivals u where u.workflow_id = w and u.day = d and u.schedule_id = s and u.slot_at = t)
     order by w, d, s, t on conflict do nothing`,
    [
      dated.map(({ workflowId }) => workflowId),
      dated.map(({ scheduleId }) => scheduleId),
      dated.map(({ fireAt, zone }) => localDate(fireAt.getTime(), zone)),
      dated.map(({ fireAt }) => new Date(Math.floor(fireAt.getTime() / quarterMs) * quarterMs)),
      isNew,
    ],
  );
}

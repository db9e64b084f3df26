import { localDate } from '@medley/core';
import type { Sql } from '@medley/database';

/** A schedule as far as its upstreams go. */
export interface CountingSchedule {
  id: string;
  workflowId: string;
  zone: string;
  enabled: boolean;
  now: Date;
}

/** Writes which workflows a schedule needs: for each need of its rule the id that was found for it, null for the schedule itself. None for one of another kind. It counts anew. */
export async function writeNeeds(sql: Sql, schedule: CountingSchedule, found: readonly (string | null)[]): Promise<void> {
  await sql.query('delete from schedule_upstreams where schedule_id = $1', [schedule.id]);
  await sql.query(
    `insert into schedule_upstreams (schedule_id, position, workflow_id, is_self)
     select $1, n.number - 1, coalesce(n.id, $3), n.id is null from unnest($2::uuid[]) with ordinality as n(id, number)`,
    [schedule.id, found, schedule.workflowId],
  );
  await stopCounting(sql, schedule.id);
  if (schedule.enabled && found.length > 0) await startCounting(sql, schedule);
}

/** From today on dates count. The upstream pass takes over what has succeeded already. */
export async function startCounting(sql: Sql, { id, zone, now }: Pick<CountingSchedule, 'id' | 'zone' | 'now'>): Promise<void> {
  await sql.query('insert into upstream_counts (schedule_id, since) values ($1, $2)', [id, localDate(now.getTime(), zone)]);
}

/** What was ready and has not fired does not count any more. */
export async function stopCounting(sql: Sql, scheduleId: string): Promise<void> {
  await sql.query('delete from upstream_counts where schedule_id = $1', [scheduleId]);
  await sql.query('delete from upstream_dates where schedule_id = $1 and fired_at is null', [scheduleId]);
}

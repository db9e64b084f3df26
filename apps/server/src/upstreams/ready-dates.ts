import type { Sql } from '@medley/database';

/** By schedule the fire times of its dates that are ready and have not fired, ascending, those to come as well. */
export async function readReadyDates(sql: Sql, scheduleIds: readonly string[]): Promise<Map<string, number[]>> {
  const ready = new Map<string, number[]>(scheduleIds.map((id) => [id, []]));
  if (scheduleIds.length === 0) return ready;
  const rows = await sql.query<{ id: string; at: Date }>(
    'select schedule_id as id, fire_at as at from upstream_dates where schedule_id = any($1) and fired_at is null order by fire_at',
    [scheduleIds],
  );
  for (const { id, at } of rows) ready.get(id)!.push(at.getTime());
  return ready;
}

/** Dates are fired once, whatever succeeds again later. */
export async function markFired(sql: Sql, fires: readonly { scheduleId: string; atMs: number }[]): Promise<void> {
  if (fires.length === 0) return;
  await sql.query(
    `update upstream_dates d set fired_at = clock_timestamp() from unnest($1::uuid[], $2::timestamptz[]) as f(id, at)
     where d.schedule_id = f.id and d.fire_at = f.at and d.fired_at is null`,
    [fires.map(({ scheduleId }) => scheduleId), fires.map(({ atMs }) => new Date(atMs))],
  );
}

import {
  type Arrivals,
  addDays,
  lastCompletable,
  localDate,
  startOfDay,
  type UpstreamFacts,
  type UpstreamNeed,
  upstreamPatienceDays,
} from '@medley/core';
import type { Sql } from '@medley/database';
import { timetableRuleOf } from '../schedules/next-fire.js';
import { type TimetableRow, timetableOfRow } from '../schedules/schedule-row.js';

/** An enabled schedule of upstreams; `since` as yyyy-mm-dd. */
export interface UpstreamRow extends TimetableRow {
  id: string;
  since: string;
  now: Date;
  /** The workflows of its needs, in their order; its own for itself. */
  workflowIds: string[];
}

/** Of `schedules s` and `upstream_counts c`, besides its timetable. */
export const upstreamColumns = `s.id, c.since::text as since, clock_timestamp() as now,
  array(select u.workflow_id from schedule_upstreams u where u.schedule_id = s.id order by u.position) as "workflowIds"`;

/** The needs of the rule of a row. */
export function needsOf({ rule }: Pick<UpstreamRow, 'rule'>): readonly UpstreamNeed[] {
  return rule.upstreams ?? [];
}

export interface ReadFacts {
  facts: UpstreamFacts;
  /** The dates that may still fire: from the first that is waited for to the last that can be complete by now. */
  from: string;
  to: string;
  today: string;
}

/** What has succeeded of what a schedule needs, for all dates that may still fire. */
export async function readFacts(sql: Sql, row: UpstreamRow): Promise<ReadFacts> {
  const rule = timetableRuleOf(timetableOfRow(row));
  const needs = needsOf(row);
  const today = localDate(row.now.getTime(), row.zone);
  const patient = addDays(today, -upstreamPatienceDays);
  const [, from] = [row.since, patient].sort() as [string, string];
  // Where a zone is ahead of this one, tomorrow may have succeeded.
  const to = lastCompletable(needs, addDays(today, 1));
  const arrived: Arrivals[] = [];
  for (const [position, need] of needs.entries())
    arrived.push(await readArrivals(sql, row, need, row.workflowIds[position]!, { from, to }));
  return { facts: { rule, needs, since: row.since, arrived }, from, to, today };
}

/** Of its own runs all since it counts are read, since its dates may lie far apart. */
async function readArrivals(
  sql: Sql,
  row: UpstreamRow,
  need: UpstreamNeed,
  workflowId: string,
  { from, to }: { from: string; to: string },
): Promise<Arrivals> {
  if (need.hours !== null) {
    const range = [startOfDay(addDays(from, need.day), row.zone), startOfDay(addDays(to, need.day + 1), row.zone)].map(
      (ms) => new Date(ms),
    );
    const slots = await sql.query<{ at: Date }>(
      'select distinct slot_at as at from upstream_arrivals where workflow_id = $1 and slot_at >= $2 and slot_at < $3',
      [workflowId, ...range],
    );
    return { days: new Set(), instants: slots.map(({ at }) => at.getTime()) };
  }
  const isSelf = need.workflow === null;
  const days = await sql.query<{ day: string }>(
    `select distinct day::text as day from upstream_arrivals where workflow_id = $1 and day between $2 and $3 and ($4::uuid is null or schedule_id = $4)`,
    [workflowId, isSelf ? row.since : addDays(from, need.day), isSelf ? to : addDays(to, need.day), isSelf ? row.id : null],
  );
  return { days: new Set(days.map(({ day }) => day)), instants: [] };
}

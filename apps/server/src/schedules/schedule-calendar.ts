import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CalendarDay, CalendarQuery, CalendarRun, ScheduleCalendar } from '@medley/contracts';
import { localDate, startOfDay } from '@medley/core';
import type { Sql } from '@medley/database';
import type { VisibleProjects } from '../access/caller.js';
import { type DayFires, firesByDay } from './month-fires.js';
import { timetableRuleOf } from './next-fire.js';
import { type TimetableRow, timetableColumns, timetableKey, timetableOfRow } from './schedule-row.js';

const MOST_SCHEDULES = 500;
/** Computing one rule's month costs milliseconds; many schedules share a rule. */
const MOST_RULES = 150;
const MOST_LISTED_FIRES = 100;
const MOST_LISTED_RUNS = 100;
const MOST_RUNS = 10_000;

interface EnabledSchedule extends TimetableRow {
  scheduleId: string;
  schedule: string;
  workflowId: string;
  workflow: string;
  nextFireAt: Date;
  total: number;
}

type Month = { days: Map<string, CalendarDay>; fromMs: number; toMs: number; nowMs: number };

/** A month by days: fires from now on, and the runs of those before. What one answer holds is bounded however many schedules and runs there are. */
export async function readCalendar(sql: Sql, query: CalendarQuery, projects: VisibleProjects): Promise<ScheduleCalendar> {
  const [clock] = await sql.query<{ now: Date }>('select clock_timestamp() as now');
  const month = monthOf(query, clock!.now.getTime());
  const schedules = month.toMs > month.nowMs ? await readEnabled(sql, query, projects) : [];
  const shown = await addFires(month, schedules, query.zone);
  const runsSince = month.fromMs < month.nowMs ? await addRuns(sql, month, query, projects) : null;
  const total = schedules[0]?.total ?? 0;
  const { now } = clock!;
  return {
    month: query.month,
    zone: query.zone,
    at: now.toISOString(),
    days: [...month.days.values()],
    schedulesLeftOut: total - shown,
    runsSince,
  };
}

function monthOf({ month, zone }: CalendarQuery, nowMs: number): Month {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const names = Array.from({ length }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
  const next = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
  const days = new Map(names.map((day) => [day, { day, fireCount: 0, fires: [], runCounts: {}, runs: [] } as CalendarDay]));
  return { days, fromMs: startOfDay(names[0]!, zone), toMs: startOfDay(next, zone), nowMs };
}

async function readEnabled(sql: Sql, query: CalendarQuery, projects: VisibleProjects): Promise<EnabledSchedule[]> {
  return await sql.query<EnabledSchedule>(
    `select s.id as "scheduleId", s.name as schedule, s.workflow_id as "workflowId", w.name as workflow, ${timetableColumns}, s.next_fire_at as "nextFireAt", count(*) over ()::int as total
     from schedules s join workflows w on w.id = s.workflow_id
     where s.enabled and s.removed_at is null and s.next_fire_at is not null and ($1::uuid[] is null or s.project_id = any($1))
       and ($2::uuid is null or s.workflow_id = $2) and ($3::uuid is null or s.id = $3) order by s.next_fire_at, s.id limit $4`,
    [projects, query.workflowId ?? null, query.scheduleId ?? null, MOST_SCHEDULES],
  );
}

/** What comes of a fixed delay or of upstreams is known up to the next fire only. */
function isKnownOnce({ kind }: EnabledSchedule): boolean {
  return kind === 'fixed-delay' || kind === 'upstream';
}

/** What is known once is a rule of its own. */
function ruleKey(schedule: EnabledSchedule): string {
  return isKnownOnce(schedule) ? schedule.scheduleId : timetableKey(schedule);
}

function firesOf(row: EnabledSchedule, zone: string, fromMs: number, toMs: number): Map<string, DayFires> {
  if (!isKnownOnce(row)) return firesByDay(timetableRuleOf(timetableOfRow(row)), zone, fromMs, toMs);
  const at = row.nextFireAt.getTime();
  return new Map(at >= fromMs && at < toMs ? [[localDate(at, zone), { count: 1, at: [at] }]] : []);
}

/** Returns how many schedules were added. Between rules the process turns to other requests. */
async function addFires({ days, fromMs, toMs, nowMs }: Month, schedules: readonly EnabledSchedule[], zone: string): Promise<number> {
  const byRule = new Map<string, Map<string, DayFires>>();
  let shown = 0;
  for (const row of schedules) {
    const { scheduleId, schedule, workflowId, workflow } = row;
    const key = ruleKey(row);
    if (!byRule.has(key)) {
      if (byRule.size >= MOST_RULES) continue;
      byRule.set(key, firesOf(row, zone, Math.max(fromMs, nowMs + 1), toMs));
      await nextTurn();
    }
    shown += 1;
    for (const [name, { count, at }] of byRule.get(key)!) {
      const day = days.get(name);
      if (!day) continue;
      day.fireCount += count;
      if (day.fires.length < MOST_LISTED_FIRES)
        day.fires.push({ scheduleId, schedule, workflowId, workflow, count, at: at.map((instant) => new Date(instant).toISOString()) });
    }
  }
  for (const { fires } of days.values()) fires.sort((left, right) => (left.at[0]! < right.at[0]! ? -1 : 1));
  return shown;
}

/** Returns from when on runs are told, when the month holds more than are read. Reads each schedule's runs by its own index. */
async function addRuns(sql: Sql, { days, fromMs, toMs }: Month, query: CalendarQuery, projects: VisibleProjects): Promise<string | null> {
  const rows = await sql.query<Omit<CalendarRun, 'fireAt'> & { fireAt: Date }>(
    `select r.id, r.state, r.schedule_id as "scheduleId", s.name as schedule, w.name as workflow, r.fire_at as "fireAt"
     from schedules s join workflows w on w.id = s.workflow_id
     cross join lateral (select id, state, schedule_id, fire_at from runs where schedule_id = s.id and trigger = 'schedule' and fire_at >= $1 and fire_at < $2
       order by fire_at desc limit $6) r
     where ($3::uuid[] is null or s.project_id = any($3)) and ($4::uuid is null or s.workflow_id = $4) and ($5::uuid is null or s.id = $5)
     order by r.fire_at desc limit $6`,
    [new Date(fromMs), new Date(toMs), projects, query.workflowId ?? null, query.scheduleId ?? null, MOST_RUNS + 1],
  );
  for (const { fireAt, ...run } of rows.slice(0, MOST_RUNS)) {
    const day = days.get(localDate(fireAt.getTime(), query.zone));
    if (!day) continue;
    day.runCounts[run.state] = (day.runCounts[run.state] ?? 0) + 1;
    if (day.runs.length < MOST_LISTED_RUNS) day.runs.push({ ...run, fireAt: fireAt.toISOString() });
  }
  return rows.length > MOST_RUNS ? rows[MOST_RUNS - 1]!.fireAt.toISOString() : null;
}

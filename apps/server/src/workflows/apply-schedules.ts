import type { ApplyChange, ScheduleSpec } from '@medley/contracts';
import type { Timetable } from '@medley/core';
import { type Sql, uuidv7 } from '@medley/database';
import { delayedUntil } from '../schedules/delay-fire.js';
import { nextFireAt } from '../schedules/next-fire.js';
import {
  type CalendarOfRow,
  calendarDays,
  rowOfRule,
  type TimetableRow,
  timetableColumns,
  timetableOfRow,
} from '../schedules/schedule-row.js';
import { stopCounting, writeNeeds } from '../upstreams/needed-workflows.js';
import { change, differingPaths } from './workflow-diff.js';

interface StoredSchedule extends TimetableRow {
  id: string;
  name: string;
  jitterSeconds: number;
  overlap: ScheduleSpec['overlap'];
  parameters: ScheduleSpec['parameters'];
  misfire: ScheduleSpec['misfire'];
  enabled: boolean;
  /** The workflows that it waits for, as they were found when it was applied. */
  upstreamIds: (string | null)[];
}

/** By schedule the workflows of its upstreams, in their order; null is the schedule itself. */
type Upstreams = ReadonlyMap<string, readonly (string | null)[]>;

interface ScheduleOwner {
  projectId: string;
  workflowId: string;
  /** By name: at least those that the schedules name. */
  calendars: ReadonlyMap<string, CalendarOfRow>;
  upstreams: Upstreams;
}

type PlannedSchedule = { stored: StoredSchedule | null; wanted: ScheduleSpec | null; change: ApplyChange };

/** What a file's schedules change in those that are stored. One that the file no longer names stays, unless it is to be pruned. */
export async function planSchedules(
  sql: Sql,
  workflowId: string | null,
  wanted: readonly ScheduleSpec[],
  upstreams: Upstreams,
  prune: boolean,
): Promise<PlannedSchedule[]> {
  const stored = await sql.query<StoredSchedule>(
    `select s.id, s.name, ${timetableColumns}, s.jitter_seconds as "jitterSeconds", s.overlap, s.parameters, s.misfire, s.enabled,
       array(select case when u.is_self then null else u.workflow_id end from schedule_upstreams u where u.schedule_id = s.id order by u.position) as "upstreamIds"
     from schedules s where s.workflow_id = $1 and s.removed_at is null order by s.id for no key update`,
    [workflowId],
  );
  const byName = new Map(stored.map((schedule) => [schedule.name, schedule]));
  const named = wanted.map((schedule) => planOne(byName.get(schedule.name) ?? null, schedule, upstreams));
  const unnamed = stored.filter(({ name }) => !wanted.some((schedule) => schedule.name === name));
  return [...named, ...unnamed.map((schedule) => planUnnamed(schedule, prune))];
}

function planOne(stored: StoredSchedule | null, wanted: ScheduleSpec, upstreams: Upstreams): PlannedSchedule {
  if (!stored) return { stored, wanted, change: change('schedule', wanted.name, 'create') };
  const differing = differingPaths(toldOf(shapeOfStored(stored)), toldOf(wanted));
  const paths = differing.length === 0 && waitsForOthers(stored, wanted, upstreams) ? ['upstreams'] : differing;
  return { stored, wanted, change: change('schedule', wanted.name, paths.length > 0 ? 'update' : 'unchanged', paths) };
}

/** The same names may be other workflows by now: a project was removed, and made anew. */
function waitsForOthers({ upstreamIds }: StoredSchedule, { name }: ScheduleSpec, upstreams: Upstreams): boolean {
  return JSON.stringify(upstreamIds) !== JSON.stringify(upstreams.get(name) ?? []);
}

type ScheduleShape = Omit<ScheduleSpec, 'name' | 'enabled'>;

/** A stored schedule as a file would say it. */
function shapeOfStored(stored: StoredSchedule): ScheduleShape {
  const { rule, zone, start, end } = timetableOfRow(stored);
  const { jitterSeconds, overlap, parameters, misfire } = stored;
  return { rule, zone, calendar: stored.calendar?.name ?? null, start, end, jitterSeconds, overlap, parameters, misfire };
}

/** What is compared: the keys of the rule stand beside the others, so that a difference is told by the key that was changed. */
function toldOf({ rule, zone, calendar, start, end, jitterSeconds, overlap, parameters, misfire }: ScheduleShape) {
  return { ...rule, zone, calendar, start, end, jitterSeconds, overlap, parameters, misfire };
}

function planUnnamed(stored: StoredSchedule, prune: boolean): PlannedSchedule {
  const note = 'the file does not name it any more; apply with prune to remove it';
  return {
    stored,
    wanted: null,
    change: prune ? change('schedule', stored.name, 'remove') : change('schedule', stored.name, 'left', [], note),
  };
}

/**
 * Writes what was planned and returns the schedules that changed. Whether a schedule is enabled is the operator's: a file decides it only for a new one. A
 * new or changed rule fires strictly after now.
 */
export async function writeSchedules(sql: Sql, owner: ScheduleOwner, planned: readonly PlannedSchedule[]): Promise<string[]> {
  const [clock] = await sql.query<{ now: Date }>('select clock_timestamp() as now');
  const written: string[] = [];
  for (const { stored, wanted, change: planning } of planned) {
    if (planning.action === 'create') written.push(await insertSchedule(sql, owner, wanted!, clock!.now));
    if (planning.action === 'update') written.push(await updateSchedule(sql, owner, stored!, wanted!, clock!.now));
    if (planning.action === 'remove') written.push(await removeSchedule(sql, stored!.id));
  }
  return written;
}

async function insertSchedule(sql: Sql, owner: ScheduleOwner, wanted: ScheduleSpec, now: Date): Promise<string> {
  const { projectId, workflowId } = owner;
  const id = uuidv7();
  const next = wanted.enabled ? nextFireAt(timetableOfSpec(wanted, owner), now) : null;
  const values = [...shapeValues(wanted), next, delayedUntil({ id, ...wanted }, next)];
  await sql.query(
    `insert into schedules (kind, cron, rule, zone, starts, ends, jitter_seconds, overlap, parameters, misfire, next_fire_at, delayed_until,
       id, project_id, workflow_id, name, enabled, calendar_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
    [...values, id, projectId, workflowId, wanted.name, wanted.enabled, calendarOf(wanted, owner)?.id ?? null],
  );
  const needs = owner.upstreams.get(wanted.name) ?? [];
  if (needs.length > 0) await writeNeeds(sql, { id, workflowId, zone: wanted.zone, enabled: wanted.enabled, now }, needs);
  return id;
}

function calendarOf({ calendar }: ScheduleSpec, { calendars }: ScheduleOwner): CalendarOfRow | null {
  return calendar === null ? null : calendars.get(calendar)!;
}

function timetableOfSpec(wanted: ScheduleSpec, owner: ScheduleOwner): Timetable {
  const calendar = calendarOf(wanted, owner);
  return { ...wanted, calendar: calendar && calendarDays(calendar) };
}

function shapeValues({ rule, zone, start, end, jitterSeconds, overlap, parameters, misfire }: ScheduleSpec): unknown[] {
  const columns = rowOfRule(rule);
  const json = [JSON.stringify(parameters), JSON.stringify(misfire)];
  return [columns.kind, columns.cron, JSON.stringify(columns.rule), zone, start, end, jitterSeconds, overlap, ...json];
}

/** A changed timetable starts anew: what the old one waited for does not count. One whose policies alone change keeps its next fire. */
async function updateSchedule(sql: Sql, owner: ScheduleOwner, stored: StoredSchedule, wanted: ScheduleSpec, now: Date): Promise<string> {
  const { rule, zone, start, end } = timetableOfRow(stored);
  const before = { rule, zone, calendar: stored.calendar?.name ?? null, start, end };
  const after = { rule: wanted.rule, zone: wanted.zone, calendar: wanted.calendar, start: wanted.start, end: wanted.end };
  const isOther = differingPaths(before, after).length > 0 || waitsForOthers(stored, wanted, owner.upstreams);
  const next = stored.enabled ? nextFireAt(timetableOfSpec(wanted, owner), now) : null;
  await sql.query(
    `update schedules set kind = $1, cron = $2, rule = $3, zone = $4, starts = $5, ends = $6, jitter_seconds = $7, overlap = $8, parameters = $9, misfire = $10,
       next_fire_at = case when $13 then $11 else next_fire_at end, delayed_until = case when $13 then $12 else delayed_until end,
       held_by_run_id = case when $13 then null else held_by_run_id end, held_from = case when $13 then null else held_from end,
       calendar_id = $15, updated_at = clock_timestamp()
     where id = $14`,
    [
      ...shapeValues(wanted),
      next,
      delayedUntil({ id: stored.id, ...wanted }, next),
      isOther,
      stored.id,
      calendarOf(wanted, owner)?.id ?? null,
    ],
  );
  const { id, enabled } = stored;
  if (isOther)
    await writeNeeds(sql, { id, workflowId: owner.workflowId, zone: wanted.zone, enabled, now }, owner.upstreams.get(wanted.name) ?? []);
  return id;
}

async function removeSchedule(sql: Sql, id: string): Promise<string> {
  await sql.query(
    `update schedules set removed_at = clock_timestamp(), calendar_id = null, updated_at = clock_timestamp(), enabled = false, next_fire_at = null,
       delayed_until = null, held_by_run_id = null, held_from = null where id = $1`,
    [id],
  );
  await sql.query('delete from schedule_upstreams where schedule_id = $1', [id]);
  await stopCounting(sql, id);
  return id;
}

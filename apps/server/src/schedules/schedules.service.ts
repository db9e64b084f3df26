import type {
  CalendarQuery,
  NextFires,
  Page,
  PatchSchedule,
  PreviewSchedule,
  ScheduleCalendar,
  ScheduleQuery,
  ScheduleView,
  SwitchedSchedules,
  SwitchSchedules,
  UpstreamDatesView,
} from '@medley/contracts';
import { AppError, type CalendarDays, fieldError, phrase, previewFires, type Timetable, zoneFault } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { VisibleProjects } from '../access/caller.js';
import { type RequestingCaller, recordChanges } from '../audit/record-changes.js';
import { startCounting, stopCounting } from '../upstreams/needed-workflows.js';
import { readUpstreamDates } from '../upstreams/upstream-dates.js';
import { WakeBus } from '../wake/wake-bus.js';
import { delayedUntil } from './delay-fire.js';
import { findCalendars } from './find-calendars.js';
import { localTime } from './local-time.js';
import { nextFireAt, timetableRefusal, timetableRuleOf } from './next-fire.js';
import { timetableOfKeys } from './preview-keys.js';
import { readCalendar } from './schedule-calendar.js';
import { calendarDays, type TimetableRow, timetableColumns, timetableOfRow } from './schedule-row.js';
import { type FoundSchedule, findSchedules, getSchedule, listSchedules, noSuchSchedule, readTimetableRow } from './schedules.repository.js';

interface LockedSchedule extends TimetableRow {
  id: string;
  enabled: boolean;
  jitterSeconds: number;
  now: Date;
}

@Injectable()
export class SchedulesService {
  private readonly sql: Sql;

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  list(query: ScheduleQuery, projects: VisibleProjects): Promise<Page<ScheduleView>> {
    return listSchedules(this.sql, query, projects);
  }

  get(id: string): Promise<ScheduleView> {
    return getSchedule(this.sql, id);
  }

  /** Enabling fires next strictly after now; what was missed while it was disabled is not made up for. Saying the same again changes nothing. */
  async patch(id: string, { enabled }: PatchSchedule): Promise<ScheduleView> {
    const changed = await inTransaction(this.source, (sql) => setEnabled(sql, id, enabled));
    const schedule = await this.get(id);
    if (changed) {
      this.wakeBus.fire();
      this.wakeBus.upstream();
      this.wakeBus.changed([{ entity: 'schedule', id, projectId: schedule.projectId }]);
    }
    return schedule;
  }

  /** Switches all that the filter matches, each as `patch` does, in one transaction, which also writes each into the audit. */
  async switch(
    { enabled, dryRun, ...filter }: SwitchSchedules,
    caller: RequestingCaller,
    projects: VisibleProjects,
  ): Promise<SwitchedSchedules> {
    const { matched, changed } = await inTransaction(this.source, async (sql) => {
      const found = await findSchedules(sql, filter, projects);
      const differing = found.filter((schedule) => schedule.enabled !== enabled);
      if (dryRun) return { matched: found.length, changed: differing };
      const changed: FoundSchedule[] = [];
      for (const schedule of differing) if (await setEnabled(sql, schedule.id, enabled)) changed.push(schedule);
      const told = changed.map((schedule) => ({ ...schedule, before: { enabled: !enabled }, after: { enabled } }));
      await recordChanges(sql, caller, { action: 'patchSchedule', entity: 'schedule' }, told);
      return { matched: found.length, changed };
    });
    if (!dryRun && changed.length > 0) {
      this.wakeBus.fire();
      this.wakeBus.upstream();
      this.wakeBus.changed(changed.map(({ id, projectId }) => ({ entity: 'schedule' as const, id, projectId })));
    }
    return { matched, changed: changed.length, dryRun };
  }

  /** Throws cron-invalid for a zone that is none. */
  calendar(query: CalendarQuery, projects: VisibleProjects): Promise<ScheduleCalendar> {
    const fault = zoneFault(query.zone);
    if (fault) throw timetableRefusal([fault]);
    return readCalendar(this.sql, query, projects);
  }

  /** Also for a disabled one: when it would fire. */
  async nextFires(id: string, count: number): Promise<NextFires> {
    return this.firesOf(timetableOfRow(await readTimetableRow(this.sql, id)), count);
  }

  /** Throws not-found, and schedule-kind-wrong for one that other workflows do not start. `projects` are those whose workflows and runs the caller may see. */
  upstreamDates(id: string, projects: VisibleProjects): Promise<UpstreamDatesView> {
    return readUpstreamDates(this.sql, id, projects);
  }

  /** Throws cron-invalid, and validation-failed for a calendar that none of the projects has. */
  async preview({ count, projectId, ...keys }: PreviewSchedule, projects: VisibleProjects): Promise<NextFires> {
    const timetable = timetableOfKeys(keys);
    const calendar = keys.calendar === undefined ? null : await this.readCalendarDays(projectId, keys.calendar, projects);
    return this.firesOf({ ...timetable, calendar }, count);
  }

  private async readCalendarDays(projectId: string | undefined, name: string, projects: VisibleProjects): Promise<CalendarDays> {
    const isVisible = projectId !== undefined && (projects === null || projects.includes(projectId));
    const [found] = isVisible ? await findCalendars(this.sql, projectId, [name]) : [];
    if (found) return calendarDays(found);
    const text = phrase('no-such-calendar', { name });
    throw new AppError('validation-failed', text, [fieldError('calendar', text, phrase('calendar-form'))]);
  }

  /** Of a fixed delay only the first is known: what follows depends on the runs. */
  private async firesOf(timetable: Timetable, count: number): Promise<NextFires> {
    const rule = timetableRuleOf(timetable);
    const [clock] = await this.sql.query<{ now: Date }>('select clock_timestamp() as now');
    const shown = timetable.rule.kind === 'fixed-delay' ? 1 : count;
    const { zone } = timetable;
    const told = (atMs: number) => ({ at: new Date(atMs).toISOString(), local: localTime(new Date(atMs), zone) });
    const planned = previewFires(rule, clock!.now.getTime(), shown);
    return {
      zone,
      items: planned.filter(({ dayOff }) => dayOff === null).map(({ atMs }) => told(atMs)),
      daysOff: planned.flatMap(({ atMs, dayOff }) => (dayOff === null ? [] : [{ ...told(atMs), name: '', ...dayOff }])),
    };
  }
}

/** Nothing that it waited for counts any more. */
async function setEnabled(sql: Sql, id: string, enabled: boolean): Promise<boolean> {
  await sql.query('select 1 from calendars c where c.id = (select calendar_id from schedules where id = $1) for share', [id]);
  const [schedule] = await sql.query<LockedSchedule>(
    `select s.id, s.enabled, ${timetableColumns}, s.jitter_seconds as "jitterSeconds", clock_timestamp() as now
     from schedules s where s.id = $1 and s.removed_at is null for no key update`,
    [id],
  );
  if (!schedule) throw noSuchSchedule();
  if (schedule.enabled === enabled) return false;
  if (schedule.kind === 'upstream') await (enabled ? startCounting(sql, schedule) : stopCounting(sql, id));
  const next = enabled ? nextFireAt(timetableOfRow(schedule), schedule.now) : null;
  await sql.query(
    `update schedules set enabled = $2, next_fire_at = $3, delayed_until = $4, held_by_run_id = null, held_from = null, updated_at = clock_timestamp()
     where id = $1`,
    [id, enabled, next, delayedUntil(schedule, next)],
  );
  return true;
}

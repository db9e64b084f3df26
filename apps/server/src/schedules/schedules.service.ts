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
} from '@medley/contracts';
import { AppError, nextFires, phrase, zoneFault } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { VisibleProjects } from '../access/caller.js';
import { WakeBus } from '../wake/wake-bus.js';
import { localTime } from './local-time.js';
import { cronRefusal, cronRuleOf, nextFireAt } from './next-fire.js';
import { readCalendar } from './schedule-calendar.js';
import { findSchedules, getSchedule, listSchedules } from './schedules.repository.js';

interface LockedSchedule {
  enabled: boolean;
  cron: string | null;
  zone: string;
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
      this.wakeBus.changed([{ entity: 'schedule', id, projectId: schedule.projectId }]);
    }
    return schedule;
  }

  /** Switches all that the filter matches, each as `patch` does, in one transaction. */
  async switch({ enabled, dryRun, ...filter }: SwitchSchedules, projects: VisibleProjects): Promise<SwitchedSchedules> {
    const { matched, changed } = await inTransaction(this.source, async (sql) => {
      const found = await findSchedules(sql, filter, projects);
      const differing = found.filter((schedule) => schedule.enabled !== enabled);
      if (!dryRun) for (const { id } of differing) await setEnabled(sql, id, enabled);
      return { matched: found.length, changed: differing };
    });
    if (!dryRun && changed.length > 0) {
      this.wakeBus.fire();
      this.wakeBus.changed(changed.map(({ id, projectId }) => ({ entity: 'schedule' as const, id, projectId })));
    }
    return { matched, changed: changed.length, dryRun };
  }

  /** Throws cron-invalid for a zone that is none. */
  calendar(query: CalendarQuery, projects: VisibleProjects): Promise<ScheduleCalendar> {
    const fault = zoneFault(query.zone);
    if (fault) throw cronRefusal([fault]);
    return readCalendar(this.sql, query, projects);
  }

  /** Also for a disabled one: when it would fire. */
  async nextFires(id: string, count: number): Promise<NextFires> {
    const { cron, zone } = await this.get(id);
    return cron === null ? { zone, items: [] } : this.preview({ cron, zone, count });
  }

  /** Throws cron-invalid. */
  async preview({ cron, zone, count }: PreviewSchedule): Promise<NextFires> {
    const rule = cronRuleOf(cron, zone);
    const [clock] = await this.sql.query<{ now: Date }>('select clock_timestamp() as now');
    const fires = nextFires(rule, clock!.now.getTime(), count).map((at) => new Date(at));
    return { zone, items: fires.map((at) => ({ at: at.toISOString(), local: localTime(at, zone) })) };
  }
}

async function setEnabled(sql: Sql, id: string, enabled: boolean): Promise<boolean> {
  const [schedule] = await sql.query<LockedSchedule>(
    'select enabled, cron, zone, clock_timestamp() as now from schedules where id = $1 and removed_at is null for update',
    [id],
  );
  if (!schedule) throw new AppError('not-found', phrase('no-such-schedule'));
  if (schedule.enabled === enabled) return false;
  const next = enabled && schedule.cron !== null ? nextFireAt(schedule.cron, schedule.zone, schedule.now) : null;
  await sql.query('update schedules set enabled = $2, next_fire_at = $3, updated_at = clock_timestamp() where id = $1', [
    id,
    enabled,
    next,
  ]);
  return true;
}

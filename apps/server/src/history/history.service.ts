import type { Activity, ActivityPoint, ClusterLoad, RangeQuery, Timeline } from '@medley/contracts';
import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { VisibleProjects } from '../access/caller.js';
import { firesAfter } from '../schedules/next-fire.js';
import { timetableOfRow } from '../schedules/schedule-row.js';
import { readActivity, type StepRow } from './activity.repository.js';
import { readClusterLoad } from './node-samples.repository.js';
import { stepSecondsFor, stepsOf } from './time-steps.js';
import { readDueSchedules, readRuns } from './timeline.repository.js';
import { firesWithin, rowsOf } from './timeline-rows.js';

const MOST_RUNS = 1000;
const MOST_SCHEDULES = 200;
const MOST_FIRES_OF_SCHEDULE = 60;
const MOST_TASK_RUNS = 100_000;
const MOST_NODES = 8;

@Injectable()
export class HistoryService {
  private readonly sql: Sql;

  constructor(@Inject(DataSource) source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  async timeline(range: RangeQuery, projects: VisibleProjects): Promise<Timeline> {
    const now = await this.now();
    const runs = await readRuns(this.sql, range, projects, MOST_RUNS);
    const schedules = await readDueSchedules(this.sql, range, projects, MOST_SCHEDULES);
    const bounds = { fromMs: Date.parse(range.from), toMs: Date.parse(range.to), mostPerSchedule: MOST_FIRES_OF_SCHEDULE };
    const { fires, until } = firesWithin(schedules, bounds, (row, afterMs, count) => firesAfter(timetableOfRow(row), afterMs, count));
    const schedulesCut = schedules.length >= MOST_SCHEDULES ? schedules.at(-1)!.nextFireAt.toISOString() : null;
    return {
      at: now.toISOString(),
      rows: rowsOf(runs, fires),
      runsSince: runs.length >= MOST_RUNS ? runs[MOST_RUNS - 1]!.createdAt : null,
      firesUntil: [until, schedulesCut].filter((each) => each !== null).toSorted()[0] ?? null,
    };
  }

  async activity(range: RangeQuery, projects: VisibleProjects): Promise<Activity> {
    const now = await this.now();
    const [fromMs, toMs] = [Date.parse(range.from), Date.parse(range.to)];
    const stepSeconds = stepSecondsFor(fromMs, toMs);
    const { rows, since } = await readActivity(this.sql, range, projects, { stepSeconds, most: MOST_TASK_RUNS });
    const byStep = new Map(rows.map((row) => [row.step * stepSeconds * 1000, row]));
    return { stepSeconds, points: stepsOf(fromMs, toMs, now.getTime(), stepSeconds).map((at) => pointOf(at, byStep.get(at))), since };
  }

  async clusterLoad(range: RangeQuery): Promise<ClusterLoad> {
    const now = await this.now();
    const [fromMs, toMs] = [Date.parse(range.from), Date.parse(range.to)];
    const stepSeconds = stepSecondsFor(fromMs, toMs);
    const steps = stepsOf(fromMs, toMs, now.getTime(), stepSeconds);
    const load = await readClusterLoad(this.sql, steps, MOST_NODES);
    return { stepSeconds, at: steps.map((at) => new Date(at).toISOString()), ...load };
  }

  private async now(): Promise<Date> {
    const [clock] = await this.sql.query<{ now: Date }>('select clock_timestamp() as now');
    return clock!.now;
  }
}

function pointOf(atMs: number, row: StepRow | undefined): ActivityPoint {
  return {
    at: new Date(atMs).toISOString(),
    succeeded: row?.succeeded ?? 0,
    failed: row?.failed ?? 0,
    waitP50Seconds: row?.wait?.[0] ?? null,
    waitP95Seconds: row?.wait?.[1] ?? null,
    runP50Seconds: row?.run?.[0] ?? null,
    runP95Seconds: row?.run?.[1] ?? null,
  };
}

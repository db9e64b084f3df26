import { AppError } from '@medley/core';
import { inTransaction, type Sql } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { LOGGER } from '../logging/logger.js';
import { announceSteered } from '../runs/announce-steered.js';
import { cancelRun } from '../runs/cancel-run.js';
import { createRuns, type RunToCreate } from '../runs/create-runs.js';
import { storeFailedFires } from '../runs/failed-runs.js';
import { Settlement } from '../settlement/settlement.js';
import { markFired, readReadyDates } from '../upstreams/ready-dates.js';
import type { ChangeEvent } from '../wake/change-event.js';
import { WakeBus } from '../wake/wake-bus.js';
import { nextDueFire } from './due-work.js';
import { claimDueSchedules, type DueRow, readActiveRuns } from './fire-claims.js';
import { decide, outcomeOf, type PlannedSchedule, startedRuns, storeOutcomes } from './fire-outcomes.js';
import { FirePlanner, planReadyDates, type ScheduleToPlan } from './fire-planner.js';
import type { PassResult } from './pass-runner.js';
import { readRunsToCancel, releaseHeld } from './release-held.js';

/** Schedules per transaction: large enough to fire thousands on one tick, small enough that a second server takes its share. */
const BATCH = 200;
/** What is due and was not claimed is held by another server, or came due this very moment. */
const HELD_RETRY_MS = 5;

/**
 * Turns due schedules into runs, failed ones where a run cannot be: exactly one per (schedule, fire time) on any number of servers, since a due row is locked by one of them and the pair is
 * unique. Fires that have to wait for a run of the same schedule stay with the schedule, not as rows. Asks to be woken to the millisecond of the next fire, measured by the database's clock.
 */
@Injectable()
export class FirePass {
  private readonly planner = new FirePlanner();

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(Settlement) private readonly settlement: Settlement,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(): Promise<PassResult> {
    const outcome = await inTransaction(this.source, (sql) => this.fire(sql));
    const { runs, failed, due, released, next, toCancel } = outcome;
    for (const { run, error } of runs.refused) {
      this.logger.warn(
        { scheduleId: run.schedule?.id, reason: error.detail },
        'a schedule could not start its run; it is stored as failed',
      );
    }
    if (runs.created.length > 0) {
      this.wakeBus.place();
      this.wakeBus.admit();
    }
    this.announce([...due, ...released], [...runs.created, ...failed]);
    for (const runId of toCancel) await this.cancel(runId);
    const again = due.length >= BATCH || released.length > 0 || toCancel.length > 0;
    return { again, ...(next === null ? {} : { wakeInMs: next > 0 ? next : HELD_RETRY_MS }) };
  }

  private async fire(sql: Sql) {
    const released = await releaseHeld(sql, this.planner, BATCH);
    const rows = await sql.query<DueRow>(claimDueSchedules, [BATCH]);
    const active = await readActiveRuns(
      sql,
      rows.map(({ id }) => id),
    );
    const ready = await readReadyDates(
      sql,
      rows.filter(({ kind }) => kind === 'upstream').map(({ id }) => id),
    );
    const planned = this.planOf(rows, ready).map(({ row, plan }) => decide(row, plan, active.get(row.id)));
    const runs = await createRuns(
      sql,
      this.settlement.specs,
      planned.flatMap(({ row, decision }) => decision.startMs.map((fireAtMs) => newRun(row, fireAtMs))),
    );
    const failed = await storeFailedFires(sql, runs.refused);
    const started = startedRuns(runs);
    await storeOutcomes(
      sql,
      planned.map((each) => outcomeOf(this.afterRefusal(each, started), started.get(each.row.id) ?? null, active.get(each.row.id))),
    );
    await markFired(sql, planned.filter(({ row }) => row.kind === 'upstream').flatMap(firedDates));
    const due = rows.map(({ id, project_id }) => ({ id, projectId: project_id }));
    const toCancel = [...planned.flatMap(({ decision }) => decision.cancelRunIds), ...(await readRunsToCancel(sql, BATCH))];
    return { runs, failed, due, released, toCancel: [...new Set(toCancel)], next: await millisecondsToNextFire(sql) };
  }

  private planOf(rows: readonly DueRow[], ready: ReadonlyMap<string, readonly number[]>) {
    const schedules = rows.map(
      (row): ScheduleToPlan => ({
        ...row,
        nextFireAtMs: row.next_fire_at.getTime(),
        jitterMs: row.delayed_until === null ? 0 : row.delayed_until.getTime() - row.next_fire_at.getTime(),
        heldFromMs: row.held_from?.getTime() ?? null,
      }),
    );
    const nowMs = rows[0]?.now.getTime() ?? 0;
    const plans = this.planner.planAll(schedules, nowMs);
    return rows.map((row, index) => {
      const dates = ready.get(row.id);
      return { row, plan: dates === undefined ? plans[index]! : planReadyDates(dates, nowMs) };
    });
  }

  /** A fixed delay whose run could not be created has none to wait for: it is counted from now. */
  private afterRefusal(planned: PlannedSchedule, started: ReadonlyMap<string, string>): PlannedSchedule {
    const { row, plan } = planned;
    if (row.kind !== 'fixed-delay' || plan.nextFireAtMs !== null || started.has(row.id)) return planned;
    return { ...planned, plan: { ...plan, nextFireAtMs: this.planner.nextAfter(row, row.now.getTime()) } };
  }

  /** In a transaction of its own, since runs are locked before schedules everywhere else. One that has ended meanwhile needs no cancelling. */
  private async cancel(runId: string): Promise<void> {
    const steered = await inTransaction(this.source, (sql) => cancelRun(sql, this.settlement.specs, runId)).catch((error: unknown) => {
      if (error instanceof AppError) return null;
      throw error;
    });
    if (steered !== null) announceSteered(this.wakeBus, runId, steered);
  }

  private announce(schedules: readonly { id: string; projectId: string }[], created: readonly { id: string; projectId: string }[]): void {
    this.wakeBus.changed([
      ...schedules.map<ChangeEvent>(({ id, projectId }) => ({ entity: 'schedule', id, projectId })),
      ...created.map<ChangeEvent>(({ id, projectId }) => ({ entity: 'run', id, projectId })),
    ]);
  }
}

function newRun(row: DueRow, fireAtMs: number): RunToCreate {
  return {
    projectId: row.project_id,
    workflowId: row.workflow_id,
    workflowVersion: row.workflow_version,
    trigger: 'schedule',
    schedule: { id: row.id, fireAt: new Date(fireAtMs), zone: row.zone },
    parameters: row.parameters,
    parametersAreTemplates: true,
    createdBy: null,
  };
}

/** All that do not wait for a run, those that were passed over as well. */
function firedDates({ row, plan, decision: { heldFromMs } }: PlannedSchedule): { scheduleId: string; atMs: number }[] {
  const fired = plan.fireAtMs.filter((atMs) => heldFromMs === null || atMs < heldFromMs);
  return fired.map((atMs) => ({ scheduleId: row.id, atMs }));
}

async function millisecondsToNextFire(sql: Sql): Promise<number | null> {
  const [row] = await sql.query<{ ms: number | null }>(
    `select (extract(epoch from (${nextDueFire}) - clock_timestamp()) * 1000)::float8 as ms`,
  );
  return row!.ms;
}

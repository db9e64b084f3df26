import type { MisfirePolicy, ParameterValues } from '@medley/core';
import { inTransaction, type Sql } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { LOGGER } from '../logging/logger.js';
import { createRuns, type RunToCreate } from '../runs/create-runs.js';
import { storeFailedFires } from '../runs/failed-runs.js';
import { Settlement } from '../settlement/settlement.js';
import type { ChangeEvent } from '../wake/change-event.js';
import { WakeBus } from '../wake/wake-bus.js';
import { nextDueFire } from './due-work.js';
import { FirePlanner } from './fire-planner.js';
import type { PassResult } from './pass-runner.js';

/** Schedules per transaction: large enough to fire thousands on one tick, small enough that a second server takes its share. */
const BATCH = 200;
/** What is due and was not claimed is held by another server, or came due this very moment. */
const HELD_RETRY_MS = 5;

interface DueRow {
  id: string;
  project_id: string;
  workflow_id: string;
  workflow_version: number;
  cron: string;
  zone: string;
  parameters: ParameterValues;
  misfire: MisfirePolicy;
  next_fire_at: Date;
  now: Date;
}

// The instant is a subquery because the index is not used for a comparison with a volatile function: every idle schedule would be read.
// The values are those of the locked rows: a schedule edited since the statement began is fired by its new rule.
/** Exported for the test that looks at its plan. */
export const claimDueSchedules = `
with due as (
  select id, project_id, workflow_id, cron, zone, parameters, misfire, next_fire_at from schedules
  where enabled and removed_at is null and next_fire_at is not null and held_by_run_id is null
    and coalesce(delayed_until, next_fire_at) <= (select clock_timestamp())
  order by coalesce(delayed_until, next_fire_at) limit $1 for update skip locked
)
select s.*, w.latest_version as workflow_version, clock_timestamp() as now from due s join workflows w on w.id = s.workflow_id order by s.id`;

/**
 * Turns due schedules into runs, failed ones where a run cannot be: exactly one per (schedule, fire time) on any number of servers, since a due row is locked by one of them and the pair is
 * unique. Asks to be woken to the millisecond of the next fire, measured by the database's clock.
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
    const { fired, failed, due, next } = await inTransaction(this.source, async (sql) => {
      const rows = await sql.query<DueRow>(claimDueSchedules, [BATCH]);
      const plans = this.planOf(rows);
      const runs = await createRuns(
        sql,
        this.settlement.specs,
        plans.flatMap(({ row, plan }) => plan.fireAtMs.map((fireAtMs) => newRun(row, fireAtMs))),
      );
      const failed = await storeFailedFires(sql, runs.refused);
      await storeNextFires(
        sql,
        plans.map(({ row, plan }) => ({ id: row.id, nextFireAtMs: plan.nextFireAtMs })),
      );
      return { fired: runs, failed, due: rows, next: await millisecondsToNextFire(sql) };
    });
    for (const { run, error } of fired.refused) {
      this.logger.warn(
        { scheduleId: run.schedule?.id, reason: error.detail },
        'a schedule could not start its run; it is stored as failed',
      );
    }
    if (fired.created.length > 0) {
      this.wakeBus.place();
      this.wakeBus.admit();
    }
    if (due.length > 0) this.announce(due, [...fired.created, ...failed]);
    return { again: due.length >= BATCH, ...(next === null ? {} : { wakeInMs: next > 0 ? next : HELD_RETRY_MS }) };
  }

  private planOf(rows: readonly DueRow[]) {
    const schedules = rows.map(({ cron, zone, misfire, next_fire_at }) => ({ cron, zone, misfire, nextFireAtMs: next_fire_at.getTime() }));
    const plans = this.planner.planAll(schedules, rows[0]?.now.getTime() ?? 0);
    return rows.map((row, index) => ({ row, plan: plans[index]! }));
  }

  private announce(due: readonly DueRow[], created: readonly { id: string; projectId: string }[]): void {
    this.wakeBus.changed([
      ...due.map<ChangeEvent>((row) => ({ entity: 'schedule', id: row.id, projectId: row.project_id })),
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

async function storeNextFires(sql: Sql, fires: readonly { id: string; nextFireAtMs: number | null }[]): Promise<void> {
  if (fires.length === 0) return;
  await sql.query(
    `update schedules s set next_fire_at = to_timestamp(f.at / 1000.0) from unnest($1::uuid[], $2::float8[]) as f(id, at) where s.id = f.id`,
    [fires.map((fire) => fire.id), fires.map((fire) => fire.nextFireAtMs)],
  );
}

async function millisecondsToNextFire(sql: Sql): Promise<number | null> {
  const [row] = await sql.query<{ ms: number | null }>(
    `select (extract(epoch from (${nextDueFire}) - clock_timestamp()) * 1000)::float8 as ms`,
  );
  return row!.ms;
}

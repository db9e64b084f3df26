import type {
  Backfill,
  BackfillFire,
  BackfillPreview,
  BackfillQuery,
  BackfillScope,
  CancelBackfill,
  Page,
  PageQuery,
  StartBackfill,
} from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../access/caller.js';
import { recordRunStep } from '../audit/record-run-step.js';
import { type Idempotency, onceByKey } from '../rest/idempotency.js';
import { type DoneToRun, RunsService } from '../runs/runs.service.js';
import { WorkflowSpecs } from '../settlement/workflow-specs.js';
import { WakeBus } from '../wake/wake-bus.js';
import { insertBackfill, listBackfills, listFires, readBackfill, stopBackfill } from './backfill-rows.js';
import { planBackfill, previewOf } from './plan-backfill.js';

/** Writes backfills down; the backfill pass of any server starts their runs. */
@Injectable()
export class BackfillsService {
  private readonly sql: Sql;

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(WorkflowSpecs) private readonly specs: WorkflowSpecs,
    @Inject(RunsService) private readonly runs: RunsService,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  async preview(scheduleId: string, scope: BackfillScope): Promise<BackfillPreview> {
    return previewOf(await planBackfill(this.sql, this.specs, scheduleId, scope));
  }

  /** Throws what the preview throws, and stale-version when other fires are due than the caller was told. */
  async start(scheduleId: string, asked: StartBackfill, caller: Caller, idempotency: Idempotency | null): Promise<Backfill> {
    const backfill = await inTransaction(this.source, (sql) =>
      onceByKey(sql, idempotency, async () => {
        const planned = await planBackfill(sql, this.specs, scheduleId, asked);
        const { length } = planned.chosen;
        if (length !== asked.expected)
          throw new AppError('stale-version', phrase('backfill-count-changed', { now: length, told: asked.expected }));
        return insertBackfill(sql, planned, asked, caller.userId);
      }),
    );
    this.announce(backfill);
    return backfill;
  }

  list(scheduleId: string, query: BackfillQuery): Promise<Page<Backfill>> {
    return listBackfills(this.sql, scheduleId, query);
  }

  get(id: string): Promise<Backfill> {
    return readBackfill(this.sql, id);
  }

  fires(id: string, query: PageQuery): Promise<Page<BackfillFire>> {
    return listFires(this.sql, id, query);
  }

  /** Cancelling one that has ended changes nothing. */
  async cancel(id: string, { runs }: CancelBackfill, caller: Caller): Promise<Backfill> {
    const done = await inTransaction(this.source, async (sql) => {
      const active = (await stopBackfill(sql, id)) ?? [];
      return runs === 'cancel' ? this.cancelRuns(sql, active, { backfillId: id, userId: caller.userId }) : [];
    });
    for (const { announce } of done) announce();
    const backfill = await this.get(id);
    this.announce(backfill);
    return backfill;
  }

  private async cancelRuns(sql: Sql, runIds: readonly string[], by: { backfillId: string; userId: string }): Promise<DoneToRun[]> {
    const done: DoneToRun[] = [];
    for (const runId of runIds) {
      done.push(await this.runs.cancelWithin(sql, runId));
      await recordRunStep(sql, { action: 'cancelRun', runId, userId: by.userId, bulkId: by.backfillId });
    }
    return done;
  }

  private announce({ id, projectId }: Backfill): void {
    this.wakeBus.backfill();
    this.wakeBus.changed([{ entity: 'backfill', id, projectId }]);
  }
}

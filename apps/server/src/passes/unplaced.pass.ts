import { inTransaction, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { isDatabaseUnavailable } from '../database/database-faults.js';
import { LOGGER } from '../logging/logger.js';
import { groupBy } from '../settlement/group-by.js';
import { Settlement } from '../settlement/settlement.js';
import { steerChildren } from '../sub-workflows/steer-children.js';
import { decideUnplacedOf } from '../unplaced/decide-run.js';
import { findUnplaced } from '../unplaced/read-unplaced.js';
import { WakeBus } from '../wake/wake-bus.js';
import type { PassResult } from './pass-runner.js';

const BATCH = 200;
/** A run whose task runs could not be decided is tried again after this. */
const FAILED_RETRY_MS = 1000;

/**
 * Task runs that have no pool, because no node ever gets them or because something has to be decided first: begins them, looks at them again when it is time, and
 * hands on those that may be placed. One run per transaction, so that a fault in one keeps no other from going on.
 */
@Injectable()
export class UnplacedPass {
  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(Settlement) private readonly settlement: Settlement,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(): Promise<PassResult> {
    const sql = sqlOutsideTransaction(this.source);
    const { source, wakeBus, logger } = this;
    const steered = await steerChildren({ source, specs: this.settlement.specs, wakeBus, logger });
    const found = await findUnplaced(sql, BATCH);
    let { failed } = steered;
    for (const [runId, taskRuns] of groupBy(found, (each) => each.runId)) {
      failed =
        !(await this.decide(
          runId,
          taskRuns.map(({ id }) => id),
        )) || failed;
    }
    if (failed) return { wakeInMs: FAILED_RETRY_MS };
    const [next] = await sql.query<{ ms: number | null }>(
      'select (extract(epoch from min(next_look_at) - clock_timestamp()) * 1000)::float8 as ms from task_runs where next_look_at is not null and finished_at is null',
    );
    return { again: steered.changed || found.length >= BATCH, ...(next?.ms == null ? {} : { wakeInMs: Math.max(1, next.ms) }) };
  }

  private async decide(runId: string, ids: readonly string[]): Promise<boolean> {
    try {
      const { settled, placeable, watched, retrying, begun, arrived, started } = await inTransaction(this.source, (sql) =>
        decideUnplacedOf(sql, this.settlement, runId, ids),
      );
      this.settlement.announce(settled);
      if (placeable > 0 || begun) this.wakeBus.place();
      if (retrying || begun) this.wakeBus.retry();
      if (begun) this.wakeBus.unplaced();
      if (started.length > 0) this.wakeBus.admit();
      if (watched) this.wakeBus.watch();
      if (arrived) this.wakeBus.upstream();
      const projectId = settled.ended[0]?.run.projectId ?? started[0]?.projectId;
      this.wakeBus.changed([
        { entity: 'run', id: runId, ...(projectId ? { projectId } : {}) },
        ...started.map(({ id, projectId: of }) => ({ entity: 'run' as const, id, projectId: of })),
      ]);
      return true;
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      this.logger.error({ err: error, runId }, 'task runs that hold no slot could not be decided');
      return false;
    }
  }
}

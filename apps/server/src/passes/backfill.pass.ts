import { decideInProject, type ParameterValues } from '@medley/core';
import { inTransaction, type Sql } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { rightsOfUser } from '../access/guard/caller-lookup.js';
import { LOGGER } from '../logging/logger.js';
import { type CreatedRun, createRuns, type RunToCreate } from '../runs/create-runs.js';
import { storeFailedFires } from '../runs/failed-runs.js';
import { Settlement } from '../settlement/settlement.js';
import { WakeBus } from '../wake/wake-bus.js';
import type { PassResult } from './pass-runner.js';

interface OpenBackfill {
  id: string;
  project_id: string;
  schedule_id: string;
  workflow_id: string;
  workflow_version: number;
  user_id: string;
  parallel: number;
  /** Those of the schedule, with the backfill's own in their place. */
  parameters: ParameterValues;
  zone: string;
  total: number;
  started: number;
  state: 'running' | 'cancelling';
  /** The schedule or its project is there no more. */
  is_gone: boolean;
}

const active = `(select count(*) from runs r where r.trigger = 'backfill' and r.backfill_id = b.id and r.finished_at is null)`;

const claim = `
select b.id, b.project_id, b.schedule_id, b.workflow_id, b.workflow_version, b.user_id, b.parallel, s.parameters || b.parameters as parameters, s.zone, b.total,
  b.started, b.state, s.removed_at is not null or p.removed_at is not null as is_gone
from backfills b join schedules s on s.id = b.schedule_id join projects p on p.id = b.project_id
where b.finished_at is null and ${active} < case when b.state = 'running' and b.started < b.total then b.parallel else 1 end
order by b.id limit 1 for update of b skip locked`;

/** What one step did: runs it began, or the backfill's end. */
interface Step {
  backfill: OpenBackfill;
  runs: CreatedRun[];
}

/**
 * Starts the fires of backfills: never more at a time than each of them may run in parallel, since whoever counts what is active and starts more holds the row of the
 * backfill. A fire whose run cannot be created is stored as failed, and the others go on.
 */
@Injectable()
export class BackfillPass {
  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(Settlement) private readonly settlement: Settlement,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(): Promise<PassResult> {
    const step = await inTransaction(this.source, (sql) => this.step(sql));
    if (!step) return {};
    const { backfill, runs } = step;
    if (runs.length > 0) this.wakeBus.place();
    this.wakeBus.changed([
      { entity: 'backfill', id: backfill.id, projectId: backfill.project_id },
      ...runs.map(({ id, projectId }) => ({ entity: 'run' as const, id, projectId })),
    ]);
    return { again: true };
  }

  private async step(sql: Sql): Promise<Step | null> {
    const [backfill] = await sql.query<OpenBackfill>(claim, []);
    if (!backfill) return null;
    const reason = backfill.state === 'running' ? await reasonToStop(sql, backfill) : null;
    if (reason) {
      await sql.query(`update backfills set state = 'cancelling', reason = $2 where id = $1`, [backfill.id, JSON.stringify(reason)]);
      this.logger.warn({ backfillId: backfill.id, reason: reason.text }, 'a backfill was stopped');
      return { backfill, runs: [] };
    }
    // Counted once the row is held: what the claim saw may be older than what the last holder has committed.
    const [row] = await sql.query<{ active: number }>(
      `select count(*)::int as active from runs where trigger = 'backfill' and backfill_id = $1 and finished_at is null`,
      [backfill.id],
    );
    if (backfill.state === 'running' && backfill.started < backfill.total) {
      return { backfill, runs: await this.startFires(sql, backfill, backfill.parallel - row!.active) };
    }
    if (row!.active === 0) await endBackfill(sql, backfill);
    return { backfill, runs: [] };
  }

  private async startFires(sql: Sql, backfill: OpenBackfill, room: number): Promise<CreatedRun[]> {
    const fires = await sql.query<{ fire_at: Date }>(
      'select fire_at from backfill_fires where backfill_id = $1 and position >= $2 and position < $2 + $3 order by position',
      [backfill.id, backfill.started, Math.max(0, room)],
    );
    const { created, refused } = await createRuns(
      sql,
      this.settlement.specs,
      fires.map(({ fire_at }) => newRun(backfill, fire_at)),
    );
    const failed = await storeFailedFires(sql, refused);
    await sql.query(
      `update backfill_fires f set run_id = r.id from runs r
       where f.backfill_id = $1 and f.position >= $2 and f.position < $2 + $3 and r.trigger = 'backfill' and r.backfill_id = $1 and r.fire_at = f.fire_at`,
      [backfill.id, backfill.started, fires.length],
    );
    await sql.query('update backfills set started = started + $2 where id = $1', [backfill.id, fires.length]);
    return [...created, ...failed];
  }
}

async function endBackfill(sql: Sql, { id, state }: OpenBackfill): Promise<void> {
  await sql.query('update backfills set state = $2, finished_at = clock_timestamp() where id = $1', [
    id,
    state === 'running' ? 'finished' : 'cancelled',
  ]);
}

/** Rights may have been taken away, and schedules removed, since it began. */
async function reasonToStop(sql: Sql, { is_gone, user_id, project_id }: OpenBackfill): Promise<{ code: string; text: string } | null> {
  if (is_gone) return { code: 'not-found', text: 'The schedule was removed meanwhile.' };
  const rights = await rightsOfUser(sql, user_id);
  if (rights && decideInProject(rights, 'run:operate', project_id).allowed) return null;
  return { code: 'permission-denied', text: 'The right to start runs in this project was taken away from the one who began it.' };
}

function newRun(backfill: OpenBackfill, fireAt: Date): RunToCreate {
  return {
    projectId: backfill.project_id,
    workflowId: backfill.workflow_id,
    workflowVersion: backfill.workflow_version,
    trigger: 'backfill',
    schedule: { id: backfill.schedule_id, fireAt, zone: backfill.zone },
    backfillId: backfill.id,
    parameters: backfill.parameters,
    parametersAreTemplates: true,
    createdBy: backfill.user_id,
  };
}

import type {
  CancelRequest,
  Page,
  RerunRequest,
  RunCount,
  RunFilter,
  RunListItem,
  RunQuery,
  RunTasks,
  RunView,
  StartRun,
} from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller, VisibleProjects } from '../access/caller.js';
import { type Idempotency, onceByKey } from '../rest/idempotency.js';
import { WorkflowSpecs } from '../settlement/workflow-specs.js';
import { WakeBus } from '../wake/wake-bus.js';
import { announceSteered } from './announce-steered.js';
import { cancelRun, type SteeredRun } from './cancel-run.js';
import { createRun } from './create-runs.js';
import { countRuns, listRuns } from './list-runs.js';
import { pauseRun, resumeAsked } from './pause-run.js';
import { type RerunWish, rerunRun } from './rerun-run.js';
import { getRun, getRunTasks } from './runs.repository.js';

/** What was done within a transaction: to which run, the new one of a rerun, and how to tell of it. */
export interface DoneToRun {
  runId: string;
  announce: () => void;
}

/** What a person does to a run as a whole. */
type Steering = (sql: Sql, runId: string) => Promise<SteeredRun>;

@Injectable()
export class RunsService {
  private readonly sql: Sql;

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(WorkflowSpecs) private readonly specs: WorkflowSpecs,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  list(query: RunQuery, projects: VisibleProjects): Promise<Page<RunListItem>> {
    return listRuns(this.sql, query, projects);
  }

  count(filter: RunFilter, projects: VisibleProjects): Promise<RunCount> {
    return countRuns(this.sql, filter, projects);
  }

  get(id: string): Promise<RunView> {
    return getRun(this.sql, id);
  }

  tasks(id: string): Promise<RunTasks> {
    return getRunTasks(this.sql, id);
  }

  /** Starts the latest version, or the one that is asked for. */
  async start(workflowId: string, body: StartRun, caller: Caller, idempotency: Idempotency | null): Promise<RunView> {
    return this.create(idempotency, async (sql) => {
      const [workflow] = await sql.query<{ project_id: string; version: number }>(
        `select w.project_id, v.version from workflows w join projects p on p.id = w.project_id and p.removed_at is null
         join workflow_versions v on v.workflow_id = w.id and v.version = coalesce($2, w.latest_version) where w.id = $1 for key share of p`,
        [workflowId, body.version ?? null],
      );
      if (!workflow)
        throw new AppError('not-found', body.version ? phrase('no-such-version', { version: body.version }) : phrase('no-such-workflow'));
      return createRun(sql, this.specs, {
        projectId: workflow.project_id,
        workflowId,
        workflowVersion: workflow.version,
        trigger: 'manual',
        schedule: null,
        parameters: body.parameters,
        createdBy: caller.userId,
      });
    });
  }

  async rerun(id: string, wish: RerunRequest, caller: Caller, idempotency: Idempotency | null): Promise<RunView> {
    return this.create(idempotency, (sql) => rerunRun(sql, this.specs, id, wish, caller.userId));
  }

  cancel(id: string, request: CancelRequest): Promise<RunView> {
    return this.steer(id, this.cancelling(request));
  }

  pause(id: string): Promise<RunView> {
    return this.steer(id, pauseRun);
  }

  resume(id: string): Promise<RunView> {
    return this.steer(id, resumeAsked);
  }

  /** Within a transaction of the caller, which announces what was done once that is committed. */
  cancelWithin(sql: Sql, id: string, request: CancelRequest = { finally: 'run' }): Promise<DoneToRun> {
    return this.steerWithin(sql, id, this.cancelling(request));
  }

  private cancelling(request: CancelRequest): Steering {
    return (sql, id) => cancelRun(sql, this.specs, id, request.finally === 'cancel');
  }

  private async steer(id: string, steering: Steering): Promise<RunView> {
    const { announce } = await inTransaction(this.source, (sql) => this.steerWithin(sql, id, steering));
    announce();
    return this.get(id);
  }

  private async steerWithin(sql: Sql, id: string, steering: Steering): Promise<DoneToRun> {
    const steered = await steering(sql, id);
    return { runId: id, announce: () => announceSteered(this.wakeBus, id, steered) };
  }

  /** As `cancelWithin`. */
  async rerunWithin(sql: Sql, id: string, wish: RerunWish, userId: string): Promise<DoneToRun> {
    const run = await rerunRun(sql, this.specs, id, wish, userId);
    return { runId: run.id, announce: () => this.announceCreated(run) };
  }

  private async create(idempotency: Idempotency | null, work: (sql: Sql) => Promise<{ id: string }>): Promise<RunView> {
    const run = await inTransaction(this.source, (sql) =>
      onceByKey(sql, idempotency, async () => {
        const { id } = await work(sql);
        return getRun(sql, id);
      }),
    );
    this.announceCreated(run);
    return run;
  }

  private announceCreated({ id, projectId }: { id: string; projectId: string }): void {
    this.wakeBus.place();
    this.wakeBus.unplaced();
    this.wakeBus.admit();
    this.wakeBus.upstream(); // a rerun may have nothing left to do, and have succeeded
    this.wakeBus.changed([{ entity: 'run', id, projectId }]);
  }
}

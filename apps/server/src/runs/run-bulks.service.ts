import { RUN_BULK_MAX, type RunBulk, type RunBulkList, type RunBulkPreview, type RunBulkScope, type StartRunBulk } from '@medley/contracts';
import { AppError, decideInProject, phrase } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { type Caller, type VisibleProjects, visibleProjects } from '../access/caller.js';
import { rightsOfToken, rightsOfUser } from '../access/guard/caller-lookup.js';
import { recordRunStep } from '../audit/record-run-step.js';
import { LOGGER } from '../logging/logger.js';
import { type PassResult, PassRunner } from '../passes/pass-runner.js';
import { type Idempotency, onceByKey } from '../rest/idempotency.js';
import {
  type BulkStep,
  claimStep,
  countByProject,
  endStep,
  findForBulk,
  insertBulk,
  readBulk,
  readBulks,
  stopBulk,
} from './run-bulk-rows.js';
import { type DoneToRun, RunsService } from './runs.service.js';

/** What a server that stopped has left is taken up by another one after this time. */
const LOOK_MS = 30_000;
const MOST_COUNTED = 10_000;

/**
 * Cancels or reruns many runs. Which ones is written down first; then each has its turn in a transaction of its own, which also writes that it had it, so that a
 * server that stops in between leaves nothing half done and nothing done twice.
 */
@Injectable()
export class RunBulksService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sql: Sql;
  private readonly runner: PassRunner;

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(RunsService) private readonly runs: RunsService,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.sql = sqlOutsideTransaction(source);
    this.runner = new PassRunner('run-bulks', () => this.step(), logger);
  }

  onApplicationBootstrap(): void {
    this.runner.wake();
  }

  onApplicationShutdown(): Promise<void> {
    return this.runner.stop();
  }

  async preview(caller: Caller, scope: RunBulkScope): Promise<RunBulkPreview> {
    const { allowed, forbidden } = projectsFor(caller, scope);
    const found = await findForBulk(this.sql, scope, allowed, MOST_COUNTED + 1);
    return {
      action: scope.action,
      count: Math.min(found.length, MOST_COUNTED),
      isMore: found.length > MOST_COUNTED,
      most: RUN_BULK_MAX,
      forbidden: forbidden === null || forbidden.length > 0 ? await countByProject(this.sql, scope, forbidden, MOST_COUNTED) : [],
    };
  }

  /** Throws validation-failed for more than may be done at once, and stale-version when there are more than the caller was told. */
  async start(caller: Caller, { expected, ...scope }: StartRunBulk, idempotency: Idempotency | null): Promise<RunBulk> {
    const bulk = await inTransaction(this.source, (sql) =>
      onceByKey(sql, idempotency, async () => {
        const found = await findForBulk(sql, scope, projectsFor(caller, scope).allowed, RUN_BULK_MAX + 1);
        if (found.length > RUN_BULK_MAX) throw new AppError('validation-failed', phrase('bulk-too-large', { limit: RUN_BULK_MAX }));
        if (found.length > expected)
          throw new AppError('stale-version', phrase('bulk-count-changed', { now: found.length, told: expected ?? 0 }));
        if (found.length === 0) throw new AppError('run-has-no-work', phrase('no-run-can-be-acted-on'));
        return insertBulk(sql, caller, scope.action, found);
      }),
    );
    this.runner.wake();
    return bulk;
  }

  async list(userId: string): Promise<RunBulkList> {
    return { items: await readBulks(this.sql, userId) };
  }

  /** Throws not-found. */
  async get(userId: string, id: string): Promise<RunBulk> {
    const bulk = await readBulk(this.sql, userId, id);
    if (!bulk) throw new AppError('not-found', phrase('no-such-bulk'));
    return bulk;
  }

  /** Throws not-found. */
  async stop(userId: string, id: string): Promise<RunBulk> {
    await stopBulk(this.sql, userId, id);
    return this.get(userId, id);
  }

  /** One run of some action. */
  private async step(): Promise<PassResult> {
    const announce = await inTransaction(this.source, async (sql) => {
      const step = await claimStep(sql);
      if (!step) return null;
      try {
        await requireRight(sql, step);
        const { runId, announce } = await this.act(sql, step);
        await recordRunStep(sql, { ...step, action: step.action === 'cancel' ? 'cancelRun' : 'rerun', runId });
        await endStep(sql, step, null);
        return announce;
      } catch (error) {
        // Refusals come before anything is written: the right is gone, the run has ended meanwhile, or has nothing to run again.
        if (!(error instanceof AppError)) throw error;
        await endStep(sql, step, error);
        return () => {};
      }
    });
    announce?.();
    return announce ? { again: true } : { wakeInMs: LOOK_MS };
  }

  private act(sql: Sql, { action, runId, userId }: BulkStep): Promise<DoneToRun> {
    if (action === 'cancel') return this.runs.cancelWithin(sql, runId);
    return this.runs.rerunWithin(sql, runId, { mode: action === 'rerun-all' ? 'all' : 'failed' }, userId);
  }
}

/** Rights may have been taken away since the action began, and the token it was started with. Throws not-found and permission-denied. */
async function requireRight(sql: Sql, { userId, tokenId, runId }: BulkStep): Promise<void> {
  const [run] = await sql.query<{ project_id: string }>('select project_id from runs where id = $1', [runId]);
  if (!run) throw new AppError('not-found', phrase('run-gone'));
  const rights = tokenId ? await rightsOfToken(sql, tokenId) : await rightsOfUser(sql, userId);
  if (tokenId && !rights) throw new AppError('permission-denied', phrase('token-taken-away'));
  if (!rights || !decideInProject(rights, 'run:operate', run.project_id).allowed)
    throw new AppError('permission-denied', phrase('right-taken-away'));
}

/** Projects of the scope in which the caller may do it, and those that it only sees. */
function projectsFor(caller: Caller, { filter }: RunBulkScope): { allowed: VisibleProjects; forbidden: VisibleProjects } {
  const allowed = visibleProjects(caller, 'run:operate', filter?.projectId);
  const seen = visibleProjects(caller, 'run:read', filter?.projectId);
  if (allowed === null) return { allowed, forbidden: [] };
  return { allowed, forbidden: seen === null ? null : seen.filter((id) => !allowed.includes(id)) };
}

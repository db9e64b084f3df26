import type { Reason } from '@medley/contracts';
import { roundTrip, type Sql } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { endedTaskRuns, taskRunsAccepting } from '../runs/state-lists.js';
import type { ChangeEvent } from '../wake/change-event.js';
import { WakeBus } from '../wake/wake-bus.js';
import { recountParts } from './advance-parts.js';
import { advanceRuns } from './advance-runs.js';
import { groupBy } from './group-by.js';
import { lockRuns } from './lock-runs.js';
import { markTaskRuns } from './mark-task-runs.js';
import { RunProgress } from './run-progress.js';
import { RuntimeLearner } from './runtime-learner.js';
import { lockAttempts, settleAttempts } from './settle-attempts.js';
import type { AttemptEnding, EndedTask, LockedRun, MarkedTaskRun, Marking, Settled } from './settlement.types.js';
import { storableEnding } from './storable-ending.js';
import { WorkflowSpecs } from './workflow-specs.js';

/** Ends attempts and task runs inside a transaction of the caller, and tells the rest of the system after its commit. */
@Injectable()
export class Settlement {
  private readonly progress = new RunProgress();

  constructor(
    @Inject(WorkflowSpecs) readonly specs: WorkflowSpecs,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
    @Inject(RuntimeLearner) private readonly learner: RuntimeLearner,
  ) {}

  /**
   * Ends attempts and everything that follows from it. The transaction must hold no row lock yet. Call `announce` with the answer after the commit.
   * `others` are attempts that are locked with them; `onceLocked` writes to those, before nodes are locked.
   */
  async endAttempts(
    sql: Sql,
    endings: readonly AttemptEnding[],
    others: readonly string[] = [],
    onceLocked?: () => Promise<void>,
  ): Promise<Settled> {
    const attemptIds = endings.map((ending) => ending.attemptId);
    const [runs, rows] = await roundTrip([
      lockRuns(sql, 'attempts', attemptIds),
      lockAttempts(sql, attemptIds, others),
      onceLocked?.() ?? Promise.resolve(),
    ]);
    const { written, release, ...settled } = await settleAttempts(sql, runs, rows, endings.map(storableEnding), this.specs, Math.random);
    const [advanced] = await roundTrip([this.advance(sql, settled, release), written]);
    return advanced;
  }

  /** Fails task runs that no node could ever hold; those that are not ready or blocked any more are left alone. */
  async failUnplaceable(sql: Sql, taskRunIds: readonly string[], reason: Pick<Reason, 'code' | 'text' | 'values'>): Promise<Settled> {
    const runs = await lockRuns(sql, 'task-runs', taskRunIds);
    const rows = await sql.query<{ id: string; run_id: string; task_key: string; parent_id: string | null }>(
      `with locked as (select id from task_runs where id = any($1) and state in ${taskRunsAccepting('dispatch')} order by id for update)
       update task_runs t set state = 'failed', reason = $2, finished_at = clock_timestamp() from locked l where t.id = l.id
       returning t.id, t.run_id, t.task_key, t.parent_id`,
      [taskRunIds, JSON.stringify(reason)],
    );
    const ended = rows.map((row) => ({ ...endedTask(runs.get(row.run_id)!, row.id, row.task_key), parentId: row.parent_id }));
    return this.advance(sql, { ended, readied: [], retrying: [], learned: [], attempts: [] });
  }

  /** What follows from task runs that the caller ended by itself. Their runs are locked. */
  endTaskRuns(sql: Sql, ended: EndedTask[]): Promise<Settled> {
    return this.advance(sql, { ended, readied: [], retrying: [], learned: [], attempts: [] });
  }

  /**
   * Ends task runs as they are marked: at once what has no attempt that runs, the others when their attempt's exit is verified. Those that have ended, and those that
   * are being cancelled with their runs, are left alone. The transaction must hold no row lock yet.
   */
  async mark(sql: Sql, marks: readonly MarkedTaskRun[]): Promise<Marking> {
    const runs = await lockRuns(
      sql,
      'task-runs',
      marks.map(({ taskRunId }) => taskRunId),
    );
    const { ended, stopping, awaiting, release } = await markTaskRuns(sql, this.specs, runs, marks);
    const settled = await this.advance(sql, { ended, readied: [], retrying: [], learned: [], attempts: [] }, release);
    return { settled, stopping, awaiting };
  }

  /** As `announce`, and tells the agents what to stop. */
  announceMarking({ settled, stopping, awaiting }: Marking): void {
    this.announce(settled);
    for (const nodeId of new Set(stopping.map((each) => each.nodeId))) this.wakeBus.work(nodeId);
    if (settled.ended.length > 0) this.wakeBus.place();
    if (awaiting.length > 0) this.wakeBus.unplaced();
    this.wakeBus.changed(awaiting.map(({ runId: id, projectId }) => ({ entity: 'run', id, projectId })));
    this.wakeBus.changed(
      stopping.flatMap(({ attemptId, runId, projectId }) => [
        { entity: 'run' as const, id: runId, projectId },
        { entity: 'attempt' as const, id: attemptId, runId, projectId },
      ]),
    );
  }

  /** Evaluates again what stands behind ended tasks of these runs: what a crash or an operator left behind. */
  async reevaluate(sql: Sql, runIds: readonly string[]): Promise<Settled> {
    for (const run of (await lockRuns(sql, 'runs', runIds)).values()) await recountParts(sql, run);
    const rows = await sql.query<{ id: string; run_id: string; task_key: string; state: EndedTask['state'] }>(
      `select id, run_id, task_key, state from task_runs where run_id = any($1) and item = -1 and state in ${endedTaskRuns}`,
      [runIds],
    );
    await sql.query(
      'update runs r set open_tasks = (select count(*) from task_runs t where t.run_id = r.id and t.finished_at is null) where r.id = any($1)',
      [runIds],
    );
    const runs = await lockRuns(sql, 'runs', runIds); // once more: with what was counted
    const ended = rows.map((row) => ({ run: runs.get(row.run_id)!, taskRunId: row.id, key: row.task_key, state: row.state }));
    return { ...(await advanceRuns(sql, ended, this.specs, this.progress, { counted: true })), retrying: [], learned: [], attempts: [] };
  }

  /** Wakes passes and consoles and lets the learner have the runtimes. */
  announce(settled: Settled): void {
    const ofTheDag = settled.ended.filter(({ parentId }) => !parentId);
    for (const [runId, tasks] of groupBy(ofTheDag, (task) => task.run.id)) {
      this.progress.remember(
        runId,
        tasks.map((task) => [task.key, task.state]),
      );
    }
    for (const run of settled.finishedRuns) this.progress.forget(run.id);
    this.learner.learn(settled.learned);
    if (settled.readied.length > 0 || settled.attempts.length > 0) this.wakeBus.place();
    if (settled.readied.some(({ unplaced }) => unplaced) || settled.finishedRuns.some(({ isPart }) => isPart)) this.wakeBus.unplaced();
    if (settled.finishedRuns.length > 0) this.wakeBus.admit();
    if (settled.retrying.length > 0) this.wakeBus.retry();
    if (settled.finishedRuns.length > 0) this.wakeBus.backfill();
    if (settled.finishedRuns.some(({ isAwaited }) => isAwaited)) this.wakeBus.fire();
    if (settled.finishedRuns.some(({ hasArrived }) => hasArrived)) this.wakeBus.upstream();
    this.wakeBus.changed(changesOf(settled));
  }

  private async advance(sql: Sql, settled: Omit<Settled, 'finishedRuns'>, lastly?: () => Promise<unknown>): Promise<Settled> {
    const behind = await advanceRuns(sql, settled.ended, this.specs, this.progress, { lastly });
    return {
      ...settled,
      ended: [...settled.ended, ...behind.ended],
      readied: [...settled.readied, ...behind.readied],
      finishedRuns: behind.finishedRuns,
    };
  }
}

function endedTask(run: LockedRun, taskRunId: string, key: string): EndedTask {
  return { run, taskRunId, key, state: 'failed' };
}

/** One invalidation per run and per ended task run; what became ready shows with its run. */
function changesOf(settled: Settled): ChangeEvent[] {
  const runs = new Map<string, ChangeEvent>();
  const note = (id: string, projectId: string) => runs.set(id, { entity: 'run', id, projectId });
  for (const task of settled.ended) note(task.run.id, task.run.projectId);
  for (const task of settled.retrying) note(task.runId, task.projectId);
  const attempts = settled.attempts.map<ChangeEvent>(({ attemptId, runId, projectId }) => {
    note(runId, projectId);
    return { entity: 'attempt', id: attemptId, runId, projectId };
  });
  return [...runs.values(), ...attempts];
}

import type { AttemptView, MarkTaskRun, Page, TaskPartQuery, TaskRunItem, TaskRunView, TaskSpec, Why } from '@medley/contracts';
import { AppError, isTerminalTaskRunState, type Needs, parentsOf, phrase, type TaskRunState } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../access/caller.js';
import { attemptColumns, attemptFrom, attemptViewOf } from '../attempts/attempt-columns.js';
import { readAdmissionReason } from '../concurrency/admission-reason.js';
import { RUN_QUEUED } from '../concurrency/admit-new-runs.js';
import { taskRunColumns, taskRunFrom, taskRunItemOf } from '../runs/task-run-columns.js';
import { Settlement } from '../settlement/settlement.js';
import type { Mark } from '../settlement/settlement.types.js';
import { type LoadedWorkflow, WorkflowSpecs } from '../settlement/workflow-specs.js';
import { readOutputsOf } from './task-results.js';
import { listTaskRunParts } from './task-run-parts.js';
import { type ChildProgress, explainTaskRun } from './why.js';

interface FoundTaskRun extends TaskRunItem, Pick<TaskRunView, 'mark'> {
  runId: string;
  workflowId: string;
  workflowVersion: number;
}

@Injectable()
export class TaskRunsService {
  private readonly sql: Sql;

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(WorkflowSpecs) private readonly specs: WorkflowSpecs,
    @Inject(Settlement) private readonly settlement: Settlement,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  /** Throws not-found. */
  async get(id: string): Promise<TaskRunView> {
    const found = await this.find(id);
    const [attempts, workflow, outputs] = await Promise.all([this.attempts(id), this.workflow(found), readOutputsOf(this.sql, id)]);
    return { ...(found as FoundTaskRun & TaskRunView), spec: { ...workflow.task(found.key) }, outputs, attempts };
  }

  /** Throws not-found. */
  async why(id: string): Promise<Why> {
    const found = await this.find(id);
    const [attempts, workflow, child] = await Promise.all([this.attempts(id), this.workflow(found), this.child(found)]);
    const { needs } = workflow.task(found.key);
    const attempt = attempts.at(-1) ?? null;
    const parents = await this.parents(found.runId, workflow, workflow.task(found.key));
    const explained = explainTaskRun({ taskRun: found, mark: found.mark, parents, needsMode: needs.mode, attempt, child });
    const { since } = explained;
    const reason =
      explained.reason.code === RUN_QUEUED ? ((await readAdmissionReason(this.sql, found.runId)) ?? explained.reason) : explained.reason;
    return { taskRunId: id, state: found.state, reason, since, parents, attempt };
  }

  /** Throws not-found and task-run-ended. */
  async mark(id: string, { as, reason }: MarkTaskRun, caller: Caller): Promise<TaskRunView> {
    await this.refuseApproval(id);
    const marking = await inTransaction(this.source, (sql) =>
      this.settlement.mark(sql, [{ taskRunId: id, ...markBy(caller, as, reason) }]),
    );
    this.settlement.announceMarking(marking);
    const taskRun = await this.get(id);
    const isMarked = [...marking.settled.ended, ...marking.stopping, ...marking.awaiting].some((each) => each.taskRunId === id);
    if (!isMarked) throw notMarkable(taskRun.state);
    return taskRun;
  }

  /** Who may decide on an approval is what it says, and not who may operate its run. */
  private async refuseApproval(id: string): Promise<void> {
    const found = await this.find(id);
    const { kind } = (await this.workflow(found)).task(found.key);
    if (kind === 'approval') throw new AppError('permission-denied', phrase('approval-not-markable'));
  }

  /** Instances of a mapped task; none for any other. */
  parts(id: string, query: TaskPartQuery): Promise<Page<TaskRunItem>> {
    return listTaskRunParts(this.sql, id, query);
  }

  private async find(id: string): Promise<FoundTaskRun> {
    const [row] = await this.sql.query<object>(
      `select ${taskRunColumns}, t.run_id as "runId", r.workflow_id as "workflowId", r.workflow_version as "workflowVersion", t.fence, p.name as pool, t.priority,
         t.expected_seconds as "expectedSeconds", t.lost_count as "lostCount", t.mark, t.deadline_at as "deadlineAt"
       from ${taskRunFrom} join runs r on r.id = t.run_id left join pools p on p.id = t.pool_id where t.id = $1`,
      [id],
    );
    if (!row) throw new AppError('not-found', phrase('no-such-task-run'));
    return taskRunItemOf(row) as FoundTaskRun;
  }

  /** Of a sub-workflow that goes on. */
  private async child({ state, child }: FoundTaskRun): Promise<ChildProgress | null> {
    if (state !== 'running' || child === null) return null;
    const [row] = await this.sql.query<Pick<ChildProgress, 'total' | 'ended' | 'running' | 'failed'>>(
      `select count(*)::int as total, count(finished_at)::int as ended, count(*) filter (where state = 'running')::int as running,
         count(*) filter (where state = 'failed')::int as failed from task_runs where run_id = $1 and item = -1`,
      [child.runId],
    );
    const { runId, workflow, state: of } = child;
    return { runId, workflow, state: of, ...row!, waits: of === 'queued' ? await readAdmissionReason(this.sql, runId) : null };
  }

  private async attempts(id: string): Promise<AttemptView[]> {
    const rows = await this.sql.query<object>(`select ${attemptColumns} from ${attemptFrom} where a.task_run_id = $1 order by a.fence`, [
      id,
    ]);
    return rows.map(attemptViewOf);
  }

  private workflow(found: FoundTaskRun): Promise<LoadedWorkflow> {
    return this.specs.load(this.sql, found.workflowId, found.workflowVersion);
  }

  private async parents(runId: string, workflow: LoadedWorkflow, task: TaskSpec): Promise<Why['parents']> {
    const positions = parentsOf(task).map(workflow.positionOf);
    if (positions.length === 0) return [];
    const rows = await this.sql.query<{ id: string; task_key: string; state: TaskRunState }>(
      'select id, task_key, state from task_runs where run_id = $1 and position = any($2) and item = -1 order by position',
      [runId, positions],
    );
    return rows.map(({ id, task_key: key, state }) => {
      const needed = task.needs.conditions[key]!;
      return { taskRunId: id, key, state, needed, satisfied: isSatisfied(needed, state) };
    });
  }
}

/** What a person decided, with who, when and why. */
export function markBy({ name, userId }: Caller, state: Mark['state'], comment: string): Mark {
  const values = { as: state, by: name, byId: userId, at: new Date().toISOString(), comment };
  return { state, reason: { code: 'marked', text: `${name} marked it as ${state}: ${comment}`, values } };
}

const endPhrases = {
  succeeded: phrase('run-succeeded'),
  failed: phrase('run-failed'),
  cancelled: phrase('run-cancelled'),
  skipped: phrase('task-skipped'),
} as const;

function notMarkable(state: TaskRunState): AppError {
  if (!isTerminalTaskRunState(state)) return new AppError('task-run-ended', phrase('task-not-markable'));
  return new AppError(
    'task-run-ended',
    phrase(state === 'failed' || state === 'succeeded' ? 'task-end-stays' : 'task-end-stays-passive', {
      state: endPhrases[state as keyof typeof endPhrases],
    }),
  );
}

function isSatisfied(needed: Needs['conditions'][string], state: TaskRunState): boolean {
  return isTerminalTaskRunState(state) && (needed === 'done' || needed === state);
}

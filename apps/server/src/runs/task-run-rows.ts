import { holdsNoSlot, isUnplaced, type Reason, type TaskSpec } from '@medley/contracts';
import { type ChildDecision, evaluateWaiting, type TaskRunState, unknownExpectedSeconds, upwardRanks } from '@medley/core';
import { type Sql, uuidv7 } from '@medley/database';
import type { ResolvedLimits } from '../limits/resolve-limits.js';
import type { LoadedWorkflow } from '../settlement/workflow-specs.js';
import { type RequestShape, requestShapeOf } from './request-shape.js';
import { endedTaskRuns } from './state-lists.js';

export interface NewTaskRun {
  id: string;
  runId: string;
  task: TaskSpec;
  state: TaskRunState;
  /** Null for what no node gets, or not yet. */
  poolId: string | null;
  shape: RequestShape | null;
  rank: number;
  expectedSeconds: number | null;
  keptFrom: string | null;
  reason: string | null;
  priority: number;
  /** Of a kept sub-workflow: its run. */
  childRunId: string | null;
  continuesRunId: string | null;
}

/** The task run that did the work, and how that ended. */
export interface KeptTaskRun {
  id: string;
  state: TaskRunState;
  reason: Reason | null;
  /** The run of a sub-workflow. */
  childRunId?: string | null;
}

export interface TaskRunFacts {
  projectId: string;
  limits: ResolvedLimits;
  poolIds: ReadonlyMap<string, string>;
  /** Learned seconds by task key, at speed 1. */
  seconds: ReadonlyMap<string, number>;
  /** Task run of an earlier run by task key whose end stands for this one's. */
  keep: ReadonlyMap<string, KeptTaskRun>;
  /** Ended runs of sub-workflows by task key that go on from what failed in them. */
  continues: ReadonlyMap<string, string>;
  /** Added to that of each task. */
  priority: number;
}

/** As tasks may have it. */
const mostPriority = 1000;

/** The task runs of a new run: kept ones have ended as they had, what needs nothing else is ready, the others wait. */
export function planTaskRuns(
  runId: string,
  { spec, dag }: LoadedWorkflow,
  { projectId, limits, poolIds, seconds, keep, continues, priority }: TaskRunFacts,
): NewTaskRun[] {
  const states = new Map<string, TaskRunState>(spec.tasks.map(({ key }) => [key, keep.get(key)?.state ?? 'waiting']));
  const decisions = new Map(evaluateWaiting(dag, states).map((decision) => [decision.key, decision]));
  const ranks = upwardRanks(spec.tasks, (key) => seconds.get(key) ?? unknownExpectedSeconds);
  return spec.tasks.map((task) => {
    const decision = decisions.get(task.key);
    return {
      id: uuidv7(),
      runId,
      task,
      state: decision?.next ?? states.get(task.key)!,
      poolId: isUnplaced(task) ? null : poolIds.get(task.pool)!,
      shape: holdsNoSlot(task) ? null : requestShapeOf(task, projectId, limits.takesOf(projectId, task)),
      rank: ranks.get(task.key) ?? 0,
      expectedSeconds: seconds.get(task.key) ?? null,
      keptFrom: keep.get(task.key)?.id ?? null,
      reason: reasonOf(decision, keep.get(task.key)),
      priority: Math.max(-mostPriority, Math.min(mostPriority, task.priority + priority)),
      childRunId: keep.get(task.key)?.childRunId ?? null,
      continuesRunId: continues.get(task.key) ?? null,
    };
  });
}

function reasonOf(decision: ChildDecision | undefined, kept: KeptTaskRun | undefined): string | null {
  if (decision?.next === 'skipped') return JSON.stringify({ code: 'skipped', ...decision.reason });
  return kept?.reason ? JSON.stringify(kept.reason) : null;
}

const insertStatement = `
insert into task_runs (id, run_id, task_key, position, state, pool_id, shape_hash, priority, rank, expected_seconds, timeout_seconds, kept_from, reason, deadline_seconds, child_run_id, continues_run_id, ready_at, finished_at, deadline_at)
select i.*, case when i.state = 'ready' then clock_timestamp() end, case when i.state in ${endedTaskRuns} then clock_timestamp() end,
  case when i.state = 'ready' then clock_timestamp() + make_interval(secs => i.deadline_seconds) end
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[], $5::text[], $6::uuid[], $7::text[], $8::int[], $9::real[], $10::real[], $11::real[], $12::uuid[], $13::jsonb[], $14::real[], $15::uuid[], $16::uuid[])
  as i(id, run_id, task_key, position, state, pool_id, shape_hash, priority, rank, expected_seconds, timeout_seconds, kept_from, reason, deadline_seconds, child_run_id, continues_run_id)`;

/** One statement, however many there are. */
export async function insertTaskRuns(sql: Sql, rows: readonly NewTaskRun[]): Promise<void> {
  const column = <Value>(value: (row: NewTaskRun) => Value) => rows.map(value);
  await sql.query(insertStatement, [
    column((row) => row.id),
    column((row) => row.runId),
    column((row) => row.task.key),
    column((row) => row.task.position),
    column((row) => row.state),
    column((row) => row.poolId),
    column((row) => row.shape?.hash ?? null),
    column((row) => row.priority),
    column((row) => row.rank),
    column((row) => row.expectedSeconds),
    column((row) => row.task.timeoutSeconds),
    column((row) => row.keptFrom),
    column((row) => row.reason),
    column((row) => row.task.deadlineSeconds ?? null),
    column((row) => row.childRunId),
    column((row) => row.continuesRunId),
  ]);
}

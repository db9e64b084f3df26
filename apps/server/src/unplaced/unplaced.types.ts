import type { Reason, TaskSpec } from '@medley/contracts';
import type { ExpressionValue, ParameterValues, TaskRunState } from '@medley/core';
import type { Sql } from '@medley/database';
import type { RunToCreate } from '../runs/create-runs.js';
import type { LockedRun, Mark } from '../settlement/settlement.types.js';
import type { LoadedWorkflow, WorkflowSpecs } from '../settlement/workflow-specs.js';
import type { Pins } from '../sub-workflows/workflow-calls.js';

export type StoredReason = Pick<Reason, 'code' | 'text' | 'values' | 'explanation'>;

/** A task run without a pool, its row and its run's held by this transaction. */
export interface UnplacedTaskRun {
  id: string;
  run: LockedRun;
  workflow: LoadedWorkflow;
  parameters: ParameterValues;
  /** As the workflow version defines it. */
  task: TaskSpec;
  state: TaskRunState;
  reason: StoredReason | null;
  tries: number;
  readyAt: Date | null;
  /** Of an instance of a mapped task. */
  item: { index: number; value: ExpressionValue } | null;
  schedule: { fireAt: Date; zone: string } | null;
  /** Its own and what it inherits. */
  priority: number;
  fence: number;
  /** The task run that it is an instance of. */
  parentId: string | null;
  mark: Mark | null;
  /** Of a sub-workflow: its run, the run of an earlier one that it goes on from, and what `latest` stands for. */
  childRunId: string | null;
  continuesRunId: string | null;
  pins: Pins | null;
}

/**
 * What becomes of it. `placeable`: decided, so that from now on a node may get it. `blocked` waits for something outside, `running` for its own parts; both are
 * looked at again after `lookInSeconds`, or when something sets `next_look_at`. `start-child`: it runs from the creation of this run on, within the same transaction. `retry-wait`, in a paused run
 * `paused`: it is tried again. `stay`: nothing to tell.
 */
export type UnplacedStep =
  | { to: 'placeable' }
  | { to: 'blocked' | 'running'; reason: StoredReason | null; lookInSeconds: number | null }
  | { to: 'succeeded' | 'failed' | 'skipped' | 'cancelled'; reason: StoredReason | null; tries?: number }
  | { to: 'retry-wait' | 'paused'; reason: StoredReason | null; tries: number; retryInSeconds: number }
  | { to: 'start-child'; run: RunToCreate }
  | { to: 'stay' };

/** Decides one kind of unplaced task run. Reads and writes through the transaction, never anything outside of Postgres. */
export type UnplacedKind = (sql: Sql, taskRun: UnplacedTaskRun, specs: WorkflowSpecs) => Promise<UnplacedStep>;

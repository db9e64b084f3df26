import type { Reason, TaskSpec } from '@medley/contracts';
import type { ExpressionValue, ParameterValues, TaskRunState } from '@medley/core';
import type { Sql } from '@medley/database';
import type { LockedRun } from '../settlement/settlement.types.js';
import type { LoadedWorkflow } from '../settlement/workflow-specs.js';

export type StoredReason = Pick<Reason, 'code' | 'text' | 'values'>;

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
}

/**
 * What becomes of it. `placeable`: decided, so that from now on a node may get it. `blocked` waits for something outside, `running` for its own parts; both are
 * looked at again after `lookInSeconds`, or when something sets `next_look_at`. `stay`: nothing to tell.
 */
export type UnplacedStep =
  | { to: 'placeable' }
  | { to: 'blocked' | 'running'; reason: StoredReason | null; lookInSeconds: number | null }
  | { to: 'succeeded' | 'failed' | 'skipped'; reason: StoredReason | null }
  | { to: 'stay' };

/** Decides one kind of unplaced task run. Reads and writes through the transaction, never anything outside of Postgres. */
export type UnplacedKind = (sql: Sql, taskRun: UnplacedTaskRun) => Promise<UnplacedStep>;

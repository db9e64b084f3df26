import { AppError } from '@medley/core';
import type { Sql } from '@medley/database';
import { approvalKind } from '../approvals/approval.kind.js';
import type { UnplacedKind, UnplacedStep, UnplacedTaskRun } from './unplaced.types.js';

/** What is done with each kind of task that holds no slot. */
const kinds: Readonly<Record<string, UnplacedKind>> = { approval: approvalKind };

/** The next step of a task run without a pool. What is wrong with it fails it, and nothing else. */
export async function decideUnplaced(sql: Sql, taskRun: UnplacedTaskRun): Promise<UnplacedStep> {
  const kind = kinds[taskRun.task.kind];
  if (!kind) return { to: 'placeable' };
  try {
    return await kind(sql, taskRun);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { to: 'failed', reason: { code: error.code, text: error.detail } };
  }
}

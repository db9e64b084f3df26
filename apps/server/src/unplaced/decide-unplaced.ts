import { AppError } from '@medley/core';
import type { Sql } from '@medley/database';
import { approvalKind } from '../approvals/approval.kind.js';
import type { WorkflowSpecs } from '../settlement/workflow-specs.js';
import { subWorkflowKind } from '../sub-workflows/sub-workflow.kind.js';
import { waitForKind } from '../watches/wait-for.kind.js';
import { beginMap } from './begin-map.js';
import { chooseCase } from './choose-case.js';
import { decideGate } from './gate.js';
import { runLoop } from './run-loop.js';
import type { UnplacedKind, UnplacedStep, UnplacedTaskRun } from './unplaced.types.js';

/** What is done with each kind of task that holds no slot. */
const kinds: Readonly<Record<string, UnplacedKind>> = {
  switch: chooseCase,
  approval: approvalKind,
  'wait-for': waitForKind,
  workflow: subWorkflowKind,
};

/** The next step of a task run without a pool. What is wrong with it fails it, and nothing else. */
export async function decideUnplaced(sql: Sql, taskRun: UnplacedTaskRun, specs: WorkflowSpecs): Promise<UnplacedStep> {
  try {
    return await decide(sql, taskRun, specs);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { to: 'failed', reason: { code: error.code, text: error.detail, ...(error.phrase && { explanation: error.phrase }) } };
  }
}

/** First whether it runs at all, once; then its instances, or what its kind does. */
async function decide(sql: Sql, taskRun: UnplacedTaskRun, specs: WorkflowSpecs): Promise<UnplacedStep> {
  const { task, state, item, tries } = taskRun;
  if (item === null && state === 'ready' && tries === 0) {
    const refused = await decideGate(sql, taskRun);
    if (refused) return refused;
  }
  if (item === null && task.map) return beginMap(sql, taskRun, task.map);
  if (item === null && task.loop) return runLoop(sql, taskRun, task.loop);
  const kind = kinds[task.kind];
  return kind ? kind(sql, taskRun, specs) : { to: 'placeable' };
}

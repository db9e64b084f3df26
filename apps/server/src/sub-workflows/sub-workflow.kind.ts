import { AppError, decideAfterFailure, type ExpressionValue, findExpressions, phrase, renderValue } from '@medley/core';
import type { Sql } from '@medley/database';
import type { RunToCreate } from '../runs/create-runs.js';
import type { WorkflowSpecs } from '../settlement/workflow-specs.js';
import { readContext } from '../unplaced/read-context.js';
import type { StoredReason, UnplacedKind, UnplacedStep, UnplacedTaskRun } from '../unplaced/unplaced.types.js';
import { writeChildOutputs } from './child-outputs.js';
import { type ChildRun, readChild, tellFailure } from './child-run.js';
import { planContinuation } from './continue-child.js';

/** A task that is a run of another workflow: it starts that run, holds no slot while it goes on, and ends as it does. */
export const subWorkflowKind: UnplacedKind = async (sql, taskRun, specs) => {
  if (taskRun.state === 'ready') return { to: 'start-child', run: await childToStart(sql, taskRun, specs) };
  if (taskRun.state !== 'running' || taskRun.childRunId === null) return { to: 'stay' };
  const child = await readChild(sql, taskRun.childRunId);
  if (child !== null && !child.hasEnded) return { to: 'stay' };
  return endOf(sql, taskRun, child, specs);
};

async function childToStart(sql: Sql, taskRun: UnplacedTaskRun, specs: WorkflowSpecs): Promise<RunToCreate> {
  const { run, task, priority } = taskRun;
  const asked = task.subWorkflow!;
  const [workflow] = await sql.query<{ id: string; latest: number }>(
    'select id, latest_version as latest from workflows where project_id = $1 and name = $2',
    [run.projectId, asked.workflow],
  );
  const version = asked.version ?? (workflow && (taskRun.pins?.[workflow.id] ?? workflow.latest)) ?? 0;
  if (!workflow || version > workflow.latest)
    throw new AppError('workflow-invalid', phrase('sub-workflow-gone', { workflow: asked.workflow, version }));
  const child: RunToCreate = {
    projectId: run.projectId,
    workflowId: workflow.id,
    workflowVersion: version,
    trigger: 'parent',
    parameters: await givenTo(sql, taskRun),
    parent: { runId: run.id, taskRunId: taskRun.id, priority, isFinal: task.isFinal ?? false },
    pins: taskRun.pins,
  };
  return (await planContinuation(sql, specs, taskRun, child)) ?? child;
}

async function givenTo(sql: Sql, taskRun: UnplacedTaskRun): Promise<Record<string, ExpressionValue>> {
  const given = Object.entries(taskRun.task.subWorkflow!.parameters);
  const texts = given.flatMap(([, value]) => [value].flat()).filter((value) => typeof value === 'string');
  const references = texts.flatMap((text) => findExpressions(text).expressions.flatMap(({ expression }) => expression.references));
  const context = await readContext(sql, taskRun, references);
  const render = (value: ExpressionValue): ExpressionValue => (typeof value === 'string' ? renderValue(value, context) : value);
  return Object.fromEntries(given.map(([name, value]) => [name, Array.isArray(value) ? value.map(render) : render(value)]));
}

async function endOf(sql: Sql, taskRun: UnplacedTaskRun, child: ChildRun | null, specs: WorkflowSpecs): Promise<UnplacedStep> {
  const { mark, run, task } = taskRun;
  const tries = taskRun.tries + 1;
  if (mark) return { to: mark.state, reason: mark.reason, tries };
  if (child === null) return { to: 'failed', reason: { code: 'child-gone', text: 'Its run is not there any more.' }, tries };
  const stops = run.state === 'cancelling' && (!task.isFinal || run.finalsCancelled);
  if (child.state === 'succeeded') {
    await writeChildOutputs(sql, taskRun, child, specs);
    return { to: 'succeeded', reason: null, tries };
  }
  if (child.state === 'cancelled') return { to: 'cancelled', reason: stops ? runCancelled : cancelledReason(child), tries };
  const reason = tellFailure(child);
  if (stops) return { to: 'failed', reason, tries };
  const { retry } = task;
  const decision = decideAfterFailure({ outcome: 'failed', attemptNumber: tries, lostCount: 0, retry, random: Math.random() });
  if (!decision.retry) return { to: 'failed', reason, tries };
  if (run.state === 'paused') return { to: 'paused', reason: null, tries, retryInSeconds: decision.jittered };
  return { to: 'retry-wait', reason: { ...reason, code: 'retry-wait' }, tries, retryInSeconds: decision.jittered };
}

const runCancelled: StoredReason = { code: 'cancelled', text: 'the run was cancelled', explanation: phrase('run-was-cancelled') };

/** Of one that was skipped for its key it is why. */
function cancelledReason({ id, workflow, skippedFor }: ChildRun): StoredReason {
  const values = { runId: id, workflow, ...(skippedFor === null ? {} : { key: skippedFor }) };
  const why = skippedFor === null ? '' : `: skipped, since the key "${skippedFor}" had no room`;
  return { code: 'child-cancelled', text: `Its run ${id.slice(-8)} of ${workflow} was cancelled${why}.`, values };
}

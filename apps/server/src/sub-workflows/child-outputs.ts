import { subWorkflowRoots } from '@medley/contracts';
import {
  AppError,
  type ExpressionValue,
  evaluateExpression,
  lookUpIn,
  maxOutputBytes,
  maxOutputs,
  parseExpression,
  phrase,
} from '@medley/core';
import type { Sql } from '@medley/database';
import type { WorkflowSpecs } from '../settlement/workflow-specs.js';
import { readTaskResults } from '../task-runs/task-results.js';
import type { UnplacedTaskRun } from '../unplaced/unplaced.types.js';
import type { ChildRun } from './child-run.js';

/** Evaluates the outputs of a task over those of the tasks of its run, and stores them. Throws reference-invalid. */
export async function writeChildOutputs(
  sql: Sql,
  { id, task, fence }: UnplacedTaskRun,
  child: ChildRun,
  specs: WorkflowSpecs,
): Promise<void> {
  const wanted = Object.entries(task.outputs ?? {});
  if (wanted.length === 0) return;
  const parsed = wanted.map(([name, source]) => {
    const read = parseExpression(source, subWorkflowRoots);
    if (!read.ok) throw new AppError('reference-invalid', read.faults[0]!.text);
    return { name, expression: read.expression };
  });
  const workflow = await specs.load(sql, child.workflowId, child.workflowVersion);
  const named = new Set(parsed.flatMap(({ expression }) => expression.references.map((reference) => reference.path[1]!)));
  const positions = [...named].map(workflow.positionOf).filter((position) => position !== undefined);
  const lookUp = lookUpIn({ tasks: await readTaskResults(sql, child.id, positions) });
  const outputs: Record<string, ExpressionValue> = {};
  for (const { name, expression } of parsed) outputs[name] = evaluateExpression(expression, lookUp);
  const text = JSON.stringify(outputs);
  requireWithinLimits(wanted.length, Buffer.byteLength(text));
  await sql.query(
    `insert into task_outputs (task_run_id, fence, outputs) values ($1, $2, $3) on conflict (task_run_id, fence) do update set outputs = excluded.outputs`,
    [id, fence, text],
  );
}

function requireWithinLimits(count: number, bytes: number): void {
  if (count > maxOutputs) throw new AppError('reference-invalid', phrase('sub-workflow-outputs-too-many', { count, limit: maxOutputs }));
  if (bytes > maxOutputBytes)
    throw new AppError('reference-invalid', phrase('sub-workflow-outputs-too-large', { count: bytes, limit: maxOutputBytes }));
}

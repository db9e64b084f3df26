import { AppError, type Expression, evaluateExpression, lookUpIn, parseExpression, phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import { readContext } from './read-context.js';
import type { StoredReason, UnplacedStep, UnplacedTaskRun } from './unplaced.types.js';

/** Why a task whose needs hold is passed over: its case was not chosen, or its `when` is false. Null when it runs. */
export async function decideGate(sql: Sql, taskRun: UnplacedTaskRun): Promise<UnplacedStep | null> {
  const reason = (await refusedByBranch(sql, taskRun)) ?? (await refusedByCondition(sql, taskRun));
  return reason && { to: 'skipped', reason };
}

async function refusedByBranch(sql: Sql, { run, workflow, task }: UnplacedTaskRun): Promise<StoredReason | null> {
  const { branch } = task;
  if (!branch) return null;
  const [row] = await sql.query<{ chosen: string | null }>(
    `select s.reason->'values'->>'case' as chosen from task_runs t join task_runs s on s.id = coalesce(t.kept_from, t.id)
     where t.run_id = $1 and t.position = $2 and t.item = -1`,
    [run.id, workflow.positionOf(branch.of)],
  );
  const chosen = row?.chosen ?? null;
  if (chosen !== null && branch.cases.includes(chosen)) return null;
  const text = chosen === null || chosen === '' ? `${branch.of} chose none of its cases` : `${branch.of} chose ${chosen}`;
  return { code: 'case-not-chosen', text, values: { switch: branch.of, chosen: chosen || null } };
}

async function refusedByCondition(sql: Sql, taskRun: UnplacedTaskRun): Promise<StoredReason | null> {
  const { when } = taskRun.task;
  if (when === undefined) return null;
  const holds = await evaluateIn(sql, taskRun, when);
  if (typeof holds !== 'boolean') throw new AppError('reference-invalid', phrase('when-not-boolean', { when }));
  return holds ? null : { code: 'when-false', text: `its condition does not hold: ${when}`, values: { when } };
}

/** The value of a bare expression of a task. Throws `reference-invalid`. */
export async function evaluateIn(sql: Sql, taskRun: UnplacedTaskRun, source: string) {
  const expression = readExpression(source);
  return evaluateExpression(expression, lookUpIn(await readContext(sql, taskRun, expression.references)));
}

function readExpression(source: string): Expression {
  const parsed = parseExpression(source);
  if (!parsed.ok) throw new AppError('reference-invalid', parsed.faults[0]!.text);
  return parsed.expression;
}

import { defaultCase } from '@medley/contracts';
import { asText } from '@medley/core';
import type { Sql } from '@medley/database';
import { evaluateIn } from './gate.js';
import type { UnplacedStep, UnplacedTaskRun } from './unplaced.types.js';

/** A switch succeeds at once; its reason tells the case, which the tasks of its cases ask for. */
export async function chooseCase(sql: Sql, taskRun: UnplacedTaskRun): Promise<UnplacedStep> {
  const { on, cases } = taskRun.task.switch!;
  const value = asText(await evaluateIn(sql, taskRun, on));
  const found = cases.includes(value) ? value : defaultCase;
  const text = found === defaultCase ? `Its value is "${value}", which is no case.` : `Its value is "${value}".`;
  return { to: 'succeeded', reason: { code: 'case-chosen', text, values: { value, case: found } } };
}

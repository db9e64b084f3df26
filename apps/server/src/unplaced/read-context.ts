import { type ExpressionContext, type Outputs, type Reference, scheduleValues } from '@medley/core';
import type { Sql } from '@medley/database';
import { readIterationOutputs, readTaskResults } from '../task-runs/task-results.js';
import { readVariables } from '../variables/variables.service.js';
import type { UnplacedTaskRun } from './unplaced.types.js';

/** What the expressions of a task run may name; of other tasks those that these references ask for. */
export async function readContext(sql: Sql, taskRun: UnplacedTaskRun, references: readonly Reference[]): Promise<ExpressionContext> {
  const { run, workflow, task, parameters, schedule, item } = taskRun;
  const named = (root: string) => [...new Set(references.filter(({ path }) => path[0] === root).map(({ path }) => path[1]!))];
  return {
    parameters,
    run: { id: run.id, workflow: workflow.spec.workflow },
    task: { key: task.key },
    schedule: schedule ? scheduleValues(schedule.fireAt, schedule.zone) : null,
    tasks: await readTaskResults(sql, run.id, named('tasks').map(workflow.positionOf)),
    variables: await readVariables(sql, run.projectId, named('variables')),
    ...(item && task.loop ? { loop: { index: item.index, previous: await previousOf(sql, taskRun, references) } } : {}),
    ...(item && task.map ? { map: { [task.map.as]: item.value, index: item.index } } : {}),
  };
}

/** What the iteration before gave, read only where it is asked for. */
async function previousOf(sql: Sql, { run, workflow, task, item }: UnplacedTaskRun, references: readonly Reference[]): Promise<Outputs> {
  const isNamed = references.some(({ path }) => path[0] === 'loop' && path[1] === 'previous');
  return isNamed ? readIterationOutputs(sql, run.id, workflow.positionOf(task.key), item!.index - 1) : {};
}

import { evaluateFinals, isTerminalTaskRunState, parentsOf, type TaskRunState } from '@medley/core';
import type { Sql } from '@medley/database';
import type { LockedRun } from './settlement.types.js';
import type { WorkflowSpecs } from './workflow-specs.js';
import { type WrittenDecisions, writeDecisions } from './write-decisions.js';

/** Whether only final tasks are left of a run that `ended` more task runs take an end in. */
export function areFinalsDue(run: LockedRun, ended: number): boolean {
  return run.finalTasks > 0 && run.openTasks - ended <= run.finalTasks;
}

/**
 * Decides the final tasks of a run whose other tasks have all ended. The caller holds the run's row, and sets its `final_tasks` to 0 so that this happens
 * once.
 */
export async function openFinals(sql: Sql, run: LockedRun, specs: WorkflowSpecs): Promise<WrittenDecisions> {
  const workflow = await specs.load(sql, run.workflowId, run.workflowVersion);
  const { dag } = workflow;
  const needed = new Set(dag.finals.flatMap((key) => parentsOf(dag.tasks.get(key)!)));
  const rows = await sql.query<{ task_key: string; state: TaskRunState }>(
    'select task_key, state from task_runs where run_id = $1 and position = any($2) and item = -1',
    [run.id, [...needed].map(workflow.positionOf)],
  );
  const ended = rows.filter(({ state }) => isTerminalTaskRunState(state)).map((row) => [row.task_key, row.state] as const);
  const states = new Map<string, TaskRunState>([...dag.finals.map((key) => [key, 'waiting'] as const), ...ended]);
  return writeDecisions(sql, run, workflow, evaluateFinals(dag, states));
}

import type { Outputs, TaskResult, TaskRunState } from '@medley/core';
import type { Sql } from '@medley/database';

// What was kept from an earlier run gave its outputs there. Those of the last attempt count, and only those.
const statement = `
select t.task_key, t.state, o.outputs from task_runs t join task_runs s on s.id = coalesce(t.kept_from, t.id)
left join task_outputs o on o.task_run_id = s.id and o.fence = s.fence
where t.run_id = $1 and t.position = any($2) and t.item = -1`;

/** States and outputs of some tasks of a run by their places in the definition; by task key. */
export async function readTaskResults(sql: Sql, runId: string, positions: readonly number[]): Promise<Record<string, TaskResult>> {
  if (positions.length === 0) return {};
  const rows = await sql.query<{ task_key: string; state: TaskRunState; outputs: Outputs | null }>(statement, [runId, positions]);
  return Object.fromEntries(rows.map(({ task_key, state, outputs }) => [task_key, { state, outputs: outputs ?? {} }]));
}

/** What one task run gives to those behind it; null when it has given nothing. */
export async function readOutputsOf(sql: Sql, taskRunId: string): Promise<Outputs | null> {
  const [row] = await sql.query<{ outputs: Outputs }>(
    `select o.outputs from task_runs t join task_runs s on s.id = coalesce(t.kept_from, t.id)
     join task_outputs o on o.task_run_id = s.id and o.fence = s.fence where t.id = $1`,
    [taskRunId],
  );
  return row?.outputs ?? null;
}

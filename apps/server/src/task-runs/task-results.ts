import type { Outputs, TaskResult, TaskRunState } from '@medley/core';
import type { Sql } from '@medley/database';

// What was kept from an earlier run gave its outputs there. Those of the last attempt count, and only those.
const statement = `
select t.run_id, t.position, t.task_key, t.state, o.outputs
from (select distinct * from unnest($1::uuid[], $2::int[])) as asked(run_id, position) join task_runs t on t.run_id = asked.run_id and t.position = asked.position and t.item = -1
join task_runs s on s.id = coalesce(t.kept_from, t.id) left join task_outputs o on o.task_run_id = s.id and o.fence = s.fence`;

/** Tasks of a run, by their places in the definition. */
export interface AskedTasks {
  runId: string;
  positions: readonly number[];
}

interface ResultRow {
  run_id: string;
  position: number;
  task_key: string;
  state: TaskRunState;
  outputs: Outputs | null;
}

/** States and outputs of tasks of any number of runs in one question; for each who asks by task key, and only what it asked for. */
export async function readTaskResultsOf(sql: Sql, asked: readonly AskedTasks[]): Promise<Record<string, TaskResult>[]> {
  const pairs = asked.flatMap(({ runId, positions }) => positions.map((position) => ({ runId, position })));
  if (pairs.length === 0) return asked.map(() => ({}));
  const rows = await sql.query<ResultRow>(statement, [pairs.map(({ runId }) => runId), pairs.map(({ position }) => position)]);
  const found = new Map(rows.map((row) => [`${row.run_id} ${row.position}`, row]));
  return asked.map(({ runId, positions }) => {
    const own = positions.flatMap((position) => found.get(`${runId} ${position}`) ?? []);
    return Object.fromEntries(own.map(({ task_key, state, outputs }) => [task_key, { state, outputs: outputs ?? {} }]));
  });
}

/** The same for one run. */
export async function readTaskResults(sql: Sql, runId: string, positions: readonly number[]): Promise<Record<string, TaskResult>> {
  return (await readTaskResultsOf(sql, [{ runId, positions }]))[0]!;
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

/** One iteration of a repeated task; its `item` may be -1, of which there is none. */
export interface AskedIteration {
  runId: string;
  position: number;
  item: number;
}

/** What iterations of repeated tasks gave, in one question; nothing for those that there are not, or that nobody asks for. */
export async function readIterationOutputsOf(sql: Sql, asked: readonly (AskedIteration | null)[]): Promise<Outputs[]> {
  const there = asked.flatMap((each) => (each !== null && each.item >= 0 ? [each] : []));
  if (there.length === 0) return asked.map(() => ({}));
  const rows = await sql.query<AskedIteration & { outputs: Outputs }>(
    `select t.run_id as "runId", t.position, t.item, o.outputs from (select distinct * from unnest($1::uuid[], $2::int[], $3::int[])) as asked(run_id, position, item)
     join task_runs t on t.run_id = asked.run_id and t.position = asked.position and t.item = asked.item
     join task_outputs o on o.task_run_id = t.id and o.fence = t.fence`,
    [there.map(({ runId }) => runId), there.map(({ position }) => position), there.map(({ item }) => item)],
  );
  const keyOf = ({ runId, position, item }: AskedIteration) => `${runId} ${position} ${item}`;
  const found = new Map(rows.map((row) => [keyOf(row), row.outputs]));
  return asked.map((each) => (each === null ? {} : (found.get(keyOf(each)) ?? {})));
}

/** The same for one of them. */
export async function readIterationOutputs(sql: Sql, runId: string, position: number, item: number): Promise<Outputs> {
  return (await readIterationOutputsOf(sql, [{ runId, position, item }]))[0]!;
}

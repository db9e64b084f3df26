import type { GridRun, RunGrid, RunGridQuery, RunListItem } from '@medley/contracts';
import type { TaskRunState } from '@medley/core';
import type { Sql } from '@medley/database';
import { answerRow } from '../rest/answer-row.js';
import { groupBy } from '../settlement/group-by.js';
import { runColumns, runFrom } from './run-rows.js';

/** Of all runs together: large workflows get fewer columns, so that an answer stays within some hundred kilobytes. */
const MOST_CELLS = 50_000;

interface CellRow {
  run_id: string;
  task_key: string;
  state: TaskRunState;
  tries: number;
  milliseconds: number | null;
  node: string | null;
}

/** The last runs of a workflow with the states of all their tasks. Tasks that only older versions had come last. */
export async function getRunGrid(sql: Sql, workflowId: string, { limit, before }: RunGridQuery): Promise<RunGrid> {
  const found = await sql.query<object>(
    `select ${runColumns} from ${runFrom} where r.workflow_id = $1 and ($2::uuid is null or r.id < $2) order by r.id desc limit $3`,
    [workflowId, before ?? null, limit + 1],
  );
  const listed = found.map((row) => answerRow<RunListItem>(row));
  const runs = withinCells(listed.slice(0, limit));
  const cells = await cellsOf(
    sql,
    runs.map(({ id }) => id),
  );
  const tasks = [...new Set(cells.map((cell) => cell.task_key))];
  const nodes = [...new Set(cells.flatMap((cell) => cell.node ?? []))];
  const byRun = groupBy(cells, (cell) => cell.run_id);
  const at = { tasks: new Map(tasks.map((key, index) => [key, index])), nodes: new Map(nodes.map((name, index) => [name, index])) };
  return {
    workflowId,
    tasks,
    nodes,
    runs: runs.map((run) => ({ ...run, ...columnOf(byRun.get(run.id) ?? [], at) })),
    before: runs.length < listed.length ? (runs.at(-1)?.id ?? null) : null,
  };
}

/** As many of the newest runs as may be told, at least one. */
function withinCells(runs: readonly RunListItem[]): RunListItem[] {
  let cells = 0;
  return runs.filter(({ taskCount }, index) => {
    cells += taskCount;
    return index === 0 || cells <= MOST_CELLS;
  });
}

/** In the order of runs from the newest on, then of their definitions. */
function cellsOf(sql: Sql, runIds: readonly string[]): Promise<CellRow[]> {
  return sql.query<CellRow>(
    `select t.run_id, t.task_key, t.state, t.tries, round(extract(epoch from t.finished_at - t.started_at) * 1000)::float8 as milliseconds, n.name as node
     from task_runs t left join lateral (select node_id from attempts where task_run_id = t.id order by fence desc limit 1) a on true
     left join nodes n on n.id = a.node_id where t.run_id = any($1) and t.item = -1 order by t.run_id desc, t.position`,
    [runIds],
  );
}

interface Places {
  tasks: ReadonlyMap<string, number>;
  nodes: ReadonlyMap<string, number>;
}

function columnOf(cells: readonly CellRow[], at: Places): Pick<GridRun, 'states' | 'tries' | 'milliseconds' | 'nodes'> {
  const count = at.tasks.size;
  const column: Pick<GridRun, 'states' | 'tries' | 'milliseconds' | 'nodes'> = {
    states: Array(count).fill(null),
    tries: Array(count).fill(0),
    milliseconds: Array(count).fill(null),
    nodes: Array(count).fill(null),
  };
  for (const cell of cells) {
    const row = at.tasks.get(cell.task_key)!;
    column.states[row] = cell.state;
    column.tries[row] = cell.tries;
    column.milliseconds[row] = cell.milliseconds;
    column.nodes[row] = cell.node === null ? null : at.nodes.get(cell.node)!;
  }
  return column;
}

import type { TaskRunState } from '@medley/core';
import type { Sql } from '@medley/database';
import type { AskedTasks } from '../task-runs/task-results.js';

export interface KeptFile {
  id: string;
  attemptId: string;
  /** Of a mapped or repeated task; null otherwise. */
  item: number | null;
  path: string;
  bytes: number;
  sha256: string;
  /** It is past the time that files are kept. */
  expired: boolean;
}

/** A task with the files that it has kept. */
export interface KeptTask {
  key: string;
  state: TaskRunState;
  files: KeptFile[];
}

/**
 * The files that count for a task run `t`: those of its last attempt, if that has succeeded, or of its instances; where it was kept from an earlier run, those from there.
 * What is replaced has no `stored_at` any more, what has expired has.
 */
export const countingFiles = `
join task_runs s on s.id = coalesce(t.kept_from, t.id)
join task_runs i on i.run_id = s.run_id and i.position = s.position and (t.item = -1 or i.id = s.id)
join working_files w on w.task_run_id = i.id and w.fence = i.fence and w.stored_at is not null
join attempts a on a.id = w.attempt_id and a.state = 'succeeded'`;

export const keptFileColumns = `
w.id, w.attempt_id as "attemptId", nullif(i.item, -1) as item, w.path, w.bytes::float8 as bytes, w.sha256, w.stale_at is not null as expired`;

const statement = `
with asked as (select distinct * from unnest($1::uuid[], $2::int[]) as asked(run_id, position))
select t.run_id, t.position, t.task_key, t.state, coalesce(f.files, '[]') as files
from asked join task_runs t on t.run_id = asked.run_id and t.position = asked.position and t.item = -1
left join lateral (
  select json_agg(k order by k.item nulls first, k.path) as files from (select ${keptFileColumns} from (select t.*) as t ${countingFiles}) k
) f on true`;

/** What tasks of any number of runs have kept, in one question, for each who asks; none where nobody asks for any. */
export async function readKeptFilesOf(sql: Sql, asked: readonly AskedTasks[]): Promise<KeptTask[][]> {
  const pairs = asked.flatMap(({ runId, positions }) => positions.map((position) => ({ runId, position })));
  if (pairs.length === 0) return asked.map(() => []);
  const rows = await sql.query<{ run_id: string; position: number; task_key: string; state: TaskRunState; files: KeptFile[] }>(statement, [
    pairs.map(({ runId }) => runId),
    pairs.map(({ position }) => position),
  ]);
  const found = new Map(rows.map((row) => [`${row.run_id} ${row.position}`, row]));
  return asked.map(({ runId, positions }) =>
    positions.flatMap((position) => {
      const row = found.get(`${runId} ${position}`);
      return row === undefined ? [] : [{ key: row.task_key, state: row.state, files: row.files }];
    }),
  );
}

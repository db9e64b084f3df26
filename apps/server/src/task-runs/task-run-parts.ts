import type { Page, TaskPartQuery, TaskRunItem } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import { decodeCursor, listKind, pageOfRows } from '../rest/cursor.js';
import { taskRunColumns, taskRunFrom, taskRunItemOf } from '../runs/task-run-columns.js';

/** A page of the instances of a task run. They stand beside it in the key of the table, which therefore has them in order. */
export async function listTaskRunParts(sql: Sql, parentId: string, query: TaskPartQuery): Promise<Page<TaskRunItem>> {
  const kind = listKind('task-parts', { ...query, parentId });
  const after = decodeCursor(kind, query.cursor, 1)?.[0] ?? '-1';
  if (!/^-?\d{1,9}$/.test(after)) throw new AppError('cursor-invalid', phrase('cursor-leave-out'));
  const rows = await sql.query<{ item: number } & object>(
    `select ${taskRunColumns} from (
       select i.* from task_runs p join task_runs i on i.run_id = p.run_id and i.position = p.position and i.item > $2
       where p.id = $1 and p.item = -1 and ($3::text is null or i.state = $3) order by i.item limit $4
     ) t ${taskRunFrom.replace(/^\s*task_runs t/, '')} order by t.item`,
    [parentId, Number(after), query.state ?? null, query.limit + 1],
  );
  return pageOfRows(rows, query.limit, kind, ({ item }) => [String(item)], taskRunItemOf);
}

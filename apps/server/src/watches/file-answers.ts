import { type FileLook, type FileLookAnswer, type FileLookResult, maxFileLooks } from '@medley/contracts';
import type { Sql } from '@medley/database';
import type { Settlement } from '../settlement/settlement.js';
import type { Marking } from '../settlement/settlement.types.js';
import { lockWaiting, writeFileReasons } from './ask-nodes.js';
import { readPlaces } from './file-places.js';
import { endByFile, type FileIsThere, foundOf } from './file-reasons.js';
import type { FileWatch } from './file-watch.js';

/** A watch with what a node has answered to its newest look. */
export interface AnsweredWatch extends FileWatch {
  look: number;
  result: FileLookResult;
}

/** What a node has to look for; the same again until it has answered. */
export function openFileLooks(sql: Sql, nodeId: string): Promise<FileLook[]> {
  return sql.query<FileLook & object>(
    'select watch_id as "watchId", look, path from node_looks where node_id = $1 and is_open order by asked_at, watch_id limit $2',
    [nodeId, maxFileLooks],
  );
}

/** Those of the answers that a watch still asks for. What answers an earlier look, or a watch that has ended, is of nobody. */
export async function readAnswered(sql: Sql, nodeId: string, answers: readonly FileLookAnswer[]): Promise<AnsweredWatch[]> {
  const rows = await sql.query<FileWatch & { look: number }>(
    `select w.id, w.task_run_id as "taskRunId", w.run_id as "runId", w.question, w.every_seconds as "everySeconds", w.looks, l.look
     from unnest($2::uuid[], $3::int[]) as i(watch_id, look) join node_looks l on l.watch_id = i.watch_id and l.node_id = $1 and l.look = i.look and l.is_open
     join watches w on w.id = l.watch_id`,
    [nodeId, answers.map(({ watchId }) => watchId), answers.map(({ look }) => look)],
  );
  const results = new Map(answers.map(({ watchId, result }) => [watchId, result]));
  return rows.map((row) => ({ ...row, result: results.get(row.id)! }));
}

/** Ends those whose file is there. The transaction must hold no row lock yet. */
export async function endWatches(sql: Sql, settlement: Settlement, node: string, met: readonly AnsweredWatch[]): Promise<Marking> {
  const at = new Date();
  const marking = await settlement.mark(
    sql,
    met.map((watch) => endByFile(watch, node, watch.result as FileIsThere, at)),
  );
  // What could not be ended is looked for again.
  await sql.query(
    `delete from watches w where w.id = any($1) and not exists (select 1 from task_runs t where t.id = w.task_run_id and t.state = 'blocked')`,
    [met.map(({ id }) => id)],
  );
  await closeLooks(sql, node, met);
  return marking;
}

/** Keeps with the others what was found, and tells it where it is something else than before. The transaction must hold no row lock yet. */
export async function keepFound(sql: Sql, node: string, unmet: readonly AnsweredWatch[]): Promise<AnsweredWatch[]> {
  await lockWaiting(sql, unmet);
  const changed = await closeLooks(sql, node, unmet);
  const told = unmet.filter(({ id }) => changed.has(id));
  if (told.length > 0) await writeFileReasons(sql, told, await readPlaces(sql, told));
  return told;
}

async function closeLooks(sql: Sql, node: string, answered: readonly AnsweredWatch[]): Promise<Set<string>> {
  const found = answered.map(({ result }) => (result.outcome === 'there' ? null : JSON.stringify(foundOf(result))));
  const rows = await sql.query<{ id: string; changed: boolean }>(
    `update node_looks l set is_open = false, found = i.found
     from unnest($2::uuid[], $3::int[], $4::jsonb[]) as i(watch_id, look, found), node_looks o join nodes n on n.id = o.node_id and n.name = $1
     where l.watch_id = i.watch_id and l.look = i.look and l.is_open and o.watch_id = l.watch_id and o.node_id = l.node_id
     returning l.watch_id as id, o.found is distinct from i.found as changed`,
    [node, answered.map(({ id }) => id), answered.map(({ look }) => look), found],
  );
  return new Set(rows.filter(({ changed }) => changed).map(({ id }) => id));
}

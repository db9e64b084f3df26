import { WATCH_PROTOCOL } from '@medley/contracts';
import type { Sql } from '@medley/database';
import { type FilePlace, readPlaces } from './file-places.js';
import { waitsForFile } from './file-reasons.js';
import type { FileWatch } from './file-watch.js';

/** Asks every node that a file may be on, by the answers to their heartbeats, and tells what is known so far. The transaction must hold no row lock yet. */
export async function askNodes(sql: Sql, watches: readonly FileWatch[]): Promise<void> {
  await lockWaiting(sql, watches);
  const places = await readPlaces(sql, watches);
  await openLooks(sql, watches, places);
  await writeFileReasons(sql, watches, places);
  await sql.query(
    `update watches w set due_at = clock_timestamp() + make_interval(secs => w.every_seconds) from unnest($1::uuid[], $2::int[]) as i(id, looks)
     where w.id = i.id and w.looks = i.looks`,
    [watches.map(({ id }) => id), watches.map(({ looks }) => looks)],
  );
}

/** The order of locks is that of all others: task runs by id, what they wait for last. */
export async function lockWaiting(sql: Sql, watches: readonly FileWatch[]): Promise<void> {
  await sql.query(`select id from task_runs where id = any($1) and state = 'blocked' order by id for update`, [
    watches.map(({ taskRunId }) => taskRunId),
  ]);
}

/** Keeps the reasons of those that still wait; their rows are held. */
export async function writeFileReasons(
  sql: Sql,
  watches: readonly FileWatch[],
  places: ReadonlyMap<string, readonly FilePlace[]>,
): Promise<void> {
  const at = new Date();
  await sql.query(
    `update task_runs t set reason = i.reason from unnest($1::uuid[], $2::jsonb[]) as i(id, reason) where t.id = i.id and t.state = 'blocked'`,
    [
      watches.map(({ taskRunId }) => taskRunId),
      watches.map((watch) => JSON.stringify(waitsForFile(watch, places.get(watch.id) ?? [], at))),
    ],
  );
}

// A look that is not answered yet stays the one it is: an agent that is slower than the looks are frequent is heard too.
const openStatement = `
insert into node_looks as l (watch_id, node_id, look, path)
select w.id, i.node_id, w.looks, w.question->>'path' from unnest($1::uuid[], $2::uuid[]) as i(watch_id, node_id) join watches w on w.id = i.watch_id
order by w.id, i.node_id
on conflict (watch_id, node_id) do update set look = excluded.look, is_open = true, asked_at = clock_timestamp() where not l.is_open`;

async function openLooks(sql: Sql, watches: readonly FileWatch[], places: ReadonlyMap<string, readonly FilePlace[]>): Promise<void> {
  const asked = watches.flatMap(({ id }) =>
    (places.get(id) ?? []).filter(({ protocol }) => protocol >= WATCH_PROTOCOL).map(({ nodeId }) => [id, nodeId] as const),
  );
  const pairs = [asked.map(([id]) => id), asked.map(([, nodeId]) => nodeId)];
  await sql.query(openStatement, pairs);
  await sql.query(
    `delete from node_looks l where l.watch_id = any($3)
       and not exists (select 1 from unnest($1::uuid[], $2::uuid[]) as i(watch_id, node_id) where i.watch_id = l.watch_id and i.node_id = l.node_id)`,
    [...pairs, watches.map(({ id }) => id)],
  );
}

import { inEnglish } from '@medley/core';
import type { Sql } from '@medley/database';
import type { Settlement } from '../settlement/settlement.js';
import type { MarkedTaskRun, Marking } from '../settlement/settlement.types.js';
import type { StoredReason } from '../unplaced/unplaced.types.js';
import type { HttpWatch } from './file-watch.js';
import type { Look } from './look-at.js';

/** A look and what it found. */
export interface Looked extends HttpWatch, Look {
  at: Date;
}

/** Ends what was met, and keeps with the others what the look found and when the next one is. The transaction must hold no row lock yet. */
export async function writeLooks(sql: Sql, settlement: Settlement, looked: readonly Looked[]): Promise<Marking> {
  const met = looked.filter(({ isMet }) => isMet);
  const marking = await settlement.mark(sql, met.map(endOf));
  const waiting = looked.filter(({ isMet }) => !isMet);
  // Ended meanwhile: not blocked any more. The order of locks is that of all others: task runs by id, what they wait for last.
  await sql.query(
    `with locked as (select id from task_runs where id = any($1) and state = 'blocked' order by id for update)
     update task_runs t set reason = i.reason from unnest($1::uuid[], $2::jsonb[]) as i(id, reason) join locked l on l.id = i.id where t.id = i.id`,
    [waiting.map(({ taskRunId }) => taskRunId), waiting.map((each) => JSON.stringify(reasonOf(each)))],
  );
  // Ended here or meanwhile; what could not be ended is looked at again.
  await sql.query(
    `delete from watches w where w.task_run_id = any($1) and not exists (select 1 from task_runs t where t.id = w.task_run_id and t.state = 'blocked')`,
    [met.map(({ taskRunId }) => taskRunId)],
  );
  await sql.query('update watches w set due_at = i.at from unnest($1::uuid[], $2::timestamptz[]) as i(id, at) where w.task_run_id = i.id', [
    waiting.map(({ taskRunId }) => taskRunId),
    waiting.map((each) => nextAt(each)),
  ]);
  return marking;
}

function endOf({ taskRunId, question, found, looks, at }: Looked): MarkedTaskRun {
  const values = { target: question.url, found, looks, at: at.toISOString() };
  return {
    taskRunId,
    state: 'succeeded',
    reason: { code: 'condition-met', text: `${question.url} answered as expected: ${inEnglish(found)}`, values },
  };
}

function reasonOf(looked: Looked): StoredReason {
  const { question, found, looks, at } = looked;
  const values = { target: question.url, found, looks, lastAt: at.toISOString(), nextAt: nextAt(looked).toISOString() };
  const text = `It waits for ${question.url}; the last look found: ${inEnglish(found)}. The next one is at ${values.nextAt}.`;
  return { code: 'waiting-for-http', text, values };
}

function nextAt({ at, everySeconds }: Looked): Date {
  return new Date(at.getTime() + everySeconds * 1000);
}

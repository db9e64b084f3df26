import { isAbsolutePath, type WaitForSpec } from '@medley/contracts';
import { AppError, findExpressions, isInstant, phrase, renderText } from '@medley/core';
import type { Sql } from '@medley/database';
import { readContext } from '../unplaced/read-context.js';
import type { UnplacedKind, UnplacedStep, UnplacedTaskRun } from '../unplaced/unplaced.types.js';
import type { FileQuestion } from './file-watch.js';
import type { HttpQuestion } from './look-at.js';

type TimeWait = Extract<WaitForSpec, { kind: 'time' }>;
type FileWait = Extract<WaitForSpec, { kind: 'file' }>;
type HttpWait = Extract<WaitForSpec, { kind: 'http' }>;

/** A task that ends when a time has come, an address answers as expected or a file is there, and holds no slot until then. What to look at is left to the watch pass. */
export const waitForKind: UnplacedKind = (sql, taskRun) => {
  const wait = taskRun.task.waitFor!;
  if (wait.kind === 'time') return awaitTime(sql, taskRun, wait);
  return wait.kind === 'file' ? awaitFile(sql, taskRun, wait) : awaitAnswer(sql, taskRun, wait);
};

async function awaitTime(sql: Sql, taskRun: UnplacedTaskRun, wait: TimeWait): Promise<UnplacedStep> {
  const at = await instantOf(sql, taskRun, wait);
  const [left] = await sql.query<{ seconds: number }>('select extract(epoch from $1::timestamptz - clock_timestamp())::float8 as seconds', [
    at,
  ]);
  if (left!.seconds <= 0) return { to: 'succeeded', reason: { code: 'time-came', text: `It waited until ${at}.`, values: { at } } };
  const reason = { code: 'waiting-for-time', text: `It waits until ${at}.`, values: { at } };
  return { to: 'blocked', reason, lookInSeconds: left!.seconds };
}

/** It stays the one with which the wait began, whatever becomes of the values it was made of. */
async function instantOf(sql: Sql, taskRun: UnplacedTaskRun, { until, forSeconds }: TimeWait): Promise<string> {
  const begun = taskRun.state === 'blocked' ? taskRun.reason?.values?.at : undefined;
  if (typeof begun === 'string') return begun;
  if (until === null) return new Date(taskRun.readyAt!.getTime() + (forSeconds ?? 0) * 1000).toISOString();
  const text = await render(sql, taskRun, until);
  if (!isInstant(text)) throw new AppError('reference-invalid', phrase('until-not-an-instant', { value: text }));
  return new Date(text).toISOString();
}

async function awaitAnswer(sql: Sql, taskRun: UnplacedTaskRun, wait: HttpWait): Promise<UnplacedStep> {
  if (taskRun.state !== 'ready') return { to: 'stay' };
  const question = await questionOf(sql, taskRun, wait);
  await watch(sql, taskRun, question, wait.everySeconds);
  const values = { target: question.url, looks: 0 };
  const reason = { code: 'waiting-for-http', text: `It waits for ${question.url}; nobody has looked yet.`, values };
  return { to: 'blocked', reason, lookInSeconds: null };
}

async function awaitFile(sql: Sql, taskRun: UnplacedTaskRun, wait: FileWait): Promise<UnplacedStep> {
  if (taskRun.state !== 'ready') return { to: 'stay' };
  const path = await render(sql, taskRun, wait.path);
  if (!isAbsolutePath(path) || path.length > 4096 || path.includes('\0'))
    throw new AppError('reference-invalid', phrase('look-path-invalid', { value: path.slice(0, 200) }));
  const { pool, labels } = taskRun.task;
  await watch(sql, taskRun, wait.node === null ? { path, pool, labels: labels ?? '' } : { path, node: wait.node }, wait.everySeconds);
  const reason = { code: 'waiting-for-file', text: `It waits for ${path}; nobody has looked yet.`, values: { target: path, looks: 0 } };
  return { to: 'blocked', reason, lookInSeconds: null };
}

/** One that waited before begins anew, under another id. */
async function watch(sql: Sql, taskRun: UnplacedTaskRun, question: HttpQuestion | FileQuestion, everySeconds: number): Promise<void> {
  await sql.query('delete from watches where task_run_id = $1', [taskRun.id]);
  await sql.query('insert into watches (task_run_id, run_id, question, every_seconds) values ($1, $2, $3, $4)', [
    taskRun.id,
    taskRun.run.id,
    JSON.stringify(question),
    everySeconds,
  ]);
}

async function questionOf(sql: Sql, taskRun: UnplacedTaskRun, { url, headers, method, expectStatus }: HttpWait): Promise<HttpQuestion> {
  const address = await render(sql, taskRun, url);
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address))
    throw new AppError('reference-invalid', phrase('look-address-invalid', { value: address }));
  const named: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) named.push([name, await render(sql, taskRun, value)]);
  return { url: new URL(address).href, method, headers: Object.fromEntries(named), expectStatus };
}

async function render(sql: Sql, taskRun: UnplacedTaskRun, text: string): Promise<string> {
  const references = findExpressions(text).expressions.flatMap(({ expression }) => expression.references);
  return renderText(text, await readContext(sql, taskRun, references));
}

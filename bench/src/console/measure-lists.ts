import type { Page, RunListItem } from '@medley/contracts';
import type { RestClient } from '@medley/testing';
import { percentile } from '../statistics/percentile.js';
import type { GeneratedIds } from './generate-runs.js';

/** Rows of a page of the console. */
const PAGE_ROWS = 50;
const WARM_UP = 5;
export const DEEP_PAGE = 500;

export interface ListTimes {
  name: string;
  p50Ms: number;
  p95Ms: number;
  worstMs: number;
  /** Of the medians, to one run by its primary key over the same way. */
  ratioToOneRun: number;
  rows: number;
}

interface Question {
  name: string;
  path: string;
}

/** The cursor of a page so many pages on, found as a person would: by going through those before. */
export async function cursorOfPage(client: RestClient, page: number): Promise<string> {
  let cursor = '';
  for (let at = 1; at < page; at += 1) {
    const { nextCursor } = await client.get<Page<RunListItem>>(`/runs?limit=${PAGE_ROWS}${cursor && `&cursor=${cursor}`}`);
    if (nextCursor === null) throw new Error(`There are only ${at} pages`);
    cursor = nextCursor;
  }
  return cursor;
}

/** What a person asks of the list of runs, from the commonest to the least selective and to filters that nearly nothing meets. */
export function questionsOf(ids: GeneratedIds, deep: string): Question[] {
  const since = new Date(Date.now() - 3_600_000 * 24).toISOString();
  const until = new Date(Date.now() - 3_600_000 * 24 * 15).toISOString();
  const filters: [string, string][] = [
    ['list', ''],
    ['page 500 by cursor', `cursor=${deep}`],
    ['state failed', 'state=failed'],
    ['state cancelled', 'state=cancelled'],
    ['state running (ten runs)', 'state=running'],
    ['state queued or cancelling (none)', 'state=queued,cancelling'],
    ['states failed and cancelled', 'state=failed,cancelled'],
    ['project', `projectId=${ids.projectId}`],
    ['project, failed', `projectId=${ids.projectId}&state=failed`],
    ['workflow run often', `workflowId=${ids.busyWorkflowId}`],
    ['workflow run rarely, failed', `workflowId=${ids.rareWorkflowId}&state=failed`],
    ['schedule', `scheduleId=${ids.scheduleId}`],
    ['schedule, failed', `scheduleId=${ids.scheduleId}&state=failed`],
    ['a backfill', `backfillId=${ids.backfillId}`],
    ['within a run', `parentRunId=${ids.parentRunId}`],
    ['started by hand', 'trigger=manual'],
    ['reruns (none)', 'trigger=rerun'],
    ['since yesterday, cancelled', `since=${since}&state=cancelled`],
    ['until two weeks ago', `until=${until}`],
    ['until two weeks ago, cancelled', `until=${until}&state=cancelled`],
    ['page 500 by its number', `page=${DEEP_PAGE}`],
    ['oldest first', 'sort=oldest'],
    ['longest first', 'sort=longest'],
    ['longest first, page 500 by its number', `sort=longest&page=${DEEP_PAGE}`],
    ['longest first, project and failed', `sort=longest&projectId=${ids.projectId}&state=failed`],
    ['longest first, workflow', `sort=longest&workflowId=${ids.busyWorkflowId}`],
  ];
  const counts = [
    ['count of failed', 'state=failed'],
    ['count of a project', `projectId=${ids.projectId}`],
  ].map(([name, filter]) => ({ name: name!, path: `/runs/count?${filter}` }));
  const lists = filters.map(([name, filter]) => ({ name, path: `/runs?limit=${PAGE_ROWS}${filter && `&${filter}`}` }));
  return [...lists, ...counts];
}

async function timed(client: RestClient, path: string): Promise<{ ms: number; rows: number }> {
  const from = performance.now();
  const answer = await client.get<Partial<Page<unknown>>>(path);
  return { ms: performance.now() - from, rows: answer.items?.length ?? 1 };
}

/** Asks every question once a round, each beside a run by its id, so that what else the machine does meets all alike. */
export async function measureLists(client: RestClient, questions: readonly Question[], samples: number): Promise<ListTimes[]> {
  const [newest] = (await client.get<Page<RunListItem>>('/runs?limit=1')).items;
  const bound: number[] = [];
  const seen = questions.map((question) => ({ ...question, times: [] as number[], rows: 0 }));
  for (let round = 0; round < WARM_UP + samples; round += 1) {
    for (const each of seen) {
      const one = await timed(client, `/runs/${newest!.id}`);
      const { ms, rows } = await timed(client, each.path);
      if (round < WARM_UP) continue;
      bound.push(one.ms);
      each.times.push(ms);
      each.rows = rows;
    }
  }
  const boundMs = percentile(bound, 0.5);
  return [{ name: 'one run by its id (bound)', times: bound, rows: 1 }, ...seen].map(({ name, times, rows }) => ({
    name,
    p50Ms: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
    worstMs: Math.max(...times),
    ratioToOneRun: percentile(times, 0.5) / boundMs,
    rows,
  }));
}

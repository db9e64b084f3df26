import { fileURLToPath } from 'node:url';
import type { Page, RunListItem, RunTasks, RunView } from '@medley/contracts';
import { type Stack, waitFor } from '@medley/testing';
import { progress } from '../output/print.js';
import { applyWorkflow, runToEnd } from '../stack/run-workflow.js';
import { BenchBrowser } from './bench-browser.js';
import { type FrameTimes, lastLineInSight, measureFrames } from './measure-log.js';
import { layeredWorkflow, talkativeWorkflow, waitingWorkflow } from './workflows.js';

export const consoleDirectory = fileURLToPath(new URL('../../../apps/console/dist', import.meta.url));

const RUNS_WAITING = 10;
const LINES_PER_SECOND = 1000;
const FOLLOW_SECONDS = 15;
const RUN_TIMEOUT_MS = 300_000;

/** Really runs a workflow of so many tasks, and gives the addresses of its two pages. */
export async function runLayers(stack: Stack, tasks: number): Promise<{ workflowId: string; runId: string }> {
  const workflowId = await applyWorkflow(stack, layeredWorkflow(tasks));
  return { workflowId, runId: await runToEnd(stack, workflowId, RUN_TIMEOUT_MS) };
}

/** Runs that stay running: the only ones in that state among all others. */
export async function startWaitingRuns(stack: Stack): Promise<void> {
  await stack.admin.post('/pools', { name: 'empty' });
  const workflowId = await applyWorkflow(stack, waitingWorkflow('empty'));
  for (let count = 0; count < RUNS_WAITING; count += 1) await stack.admin.post(`/workflows/${workflowId}/runs`, {});
  await waitFor(async () => (await stack.admin.get<Page<RunListItem>>('/runs?state=running&limit=50')).items.length === RUNS_WAITING, {
    timeoutMs: 60_000,
    describe: `${RUNS_WAITING} runs to be running`,
  });
}

export interface LogTimes {
  lines: number;
  /** Until the last of all lines was in sight, median and worst. */
  openMs: number;
  openWorstMs: number;
  still: FrameTimes;
  following: FrameTimes;
  /** Lines that came into sight per second while following. */
  followedPerSecond: number;
}

async function talk(stack: Stack, lines: number, seconds: number): Promise<{ runId: string; address: string }> {
  const workflowId = await applyWorkflow(stack, talkativeWorkflow(lines, LINES_PER_SECOND, seconds));
  const { id } = await stack.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
  return { runId: id, address: `/runs/${id}?task=talk` };
}

async function untilStored(stack: Stack, runId: string, lines: number): Promise<void> {
  await waitFor(
    async () => {
      const { items } = await stack.admin.get<RunTasks>(`/runs/${runId}/tasks`);
      const attempt = items[0]?.attempt;
      if (!attempt) return false;
      const answer = await stack.admin.request('GET', `/attempts/${attempt.id}/log/download?stream=stdout`);
      return (await answer.text()).includes(`line ${lines} `);
    },
    { timeoutMs: 120_000, pollMs: 1000, describe: `${lines} lines to be stored` },
  );
}

/** A log of so many lines opened when it is complete, and another one followed while it grows. */
export async function measureLog(stack: Stack, browser: BenchBrowser, lines: number, visits: number): Promise<LogTimes> {
  progress(`a log of ${lines} lines is printed`);
  const done = await talk(stack, lines, 0);
  await waitFor(async () => (await stack.admin.get<RunView>(`/runs/${done.runId}`)).state === 'succeeded', {
    timeoutMs: RUN_TIMEOUT_MS,
    pollMs: 500,
    describe: 'the log to be printed',
  });
  const seen: number[] = [];
  for (let visit = 0; visit <= visits; visit += 1) {
    const ms = await browser.visit(done.address, () =>
      [...document.querySelectorAll('.log-line .text')].some((each) => each.textContent === 'the last line'),
    );
    if (visit > 0) seen.push(ms);
  }
  const still = await measureFrames(browser, FOLLOW_SECONDS / 3);
  progress(`a log of ${lines} lines is followed while ${LINES_PER_SECOND} lines a second come`);
  // Time for printing, for opening and to spare: what is measured ends before the log does.
  const live = await talk(stack, lines, FOLLOW_SECONDS * 6);
  await untilStored(stack, live.runId, lines);
  await browser.page.goto(live.address);
  await waitFor(async () => (await lastLineInSight(browser)) > lines, { timeoutMs: 60_000, describe: 'the log to be followed' });
  const from = await lastLineInSight(browser);
  const following = await measureFrames(browser, FOLLOW_SECONDS);
  const followedPerSecond = ((await lastLineInSight(browser)) - from) / FOLLOW_SECONDS;
  const sorted = seen.toSorted((left, right) => left - right);
  return {
    lines,
    openMs: sorted[Math.floor(sorted.length / 2)] as number,
    openWorstMs: sorted.at(-1) as number,
    still,
    following,
    followedPerSecond,
  };
}

/** A browser that is signed in to the console of this stack. */
export function openBrowser(stack: Stack): Promise<BenchBrowser> {
  return BenchBrowser.open(stack.url, stack.bootstrap.adminName, stack.bootstrap.adminPassword);
}

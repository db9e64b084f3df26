import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type {
  NodeListItem,
  PlacementView,
  Page as RestPage,
  RunListItem,
  RunTasks,
  RunView,
  ScheduleView,
  TaskRunView,
  WorkflowView,
} from '@medley/contracts';
import { endProcessesByMarker, type RestClient, signIn, temporaryDirectory, waitFor } from '@medley/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser } from '../console/console-browser.js';
import { shortLease } from '../faults/leases.js';
import { Started } from '../start/started.js';

/** Its first task goes to the machine that joins last, and ends at once on any other. */
const ownYaml = `medley: 1
project: default
workflow: stock-report
description: Counts the stock every working day
schedules:
  every-morning: { cron: "30 7 * * 1-5", zone: Asia/Shanghai }
tasks:
  count:
    resources: { cpu: 0.1 }
    labels: "strength = weak or place = desk"
    run: |
      echo "counting on $MEDLEY_NODE"
      [ "$MEDLEY_NODE" = weak ] || sleep 600
  report:
    needs: [count]
    resources: { cpu: 0.1 }
    run: echo reported
`;

/** The steps of somebody's first hour, in their order: each goes on where the one before ended. */
describe('the first hour', () => {
  const home = temporaryDirectory('home');
  const machine = temporaryDirectory('desk');
  let started: Started;
  let url: string;
  let client: RestClient;
  let browser: ConsoleBrowser;
  let page: Page;
  let shell: ChildProcess | undefined;
  let printed = '';

  beforeAll(async () => {
    started = new Started(['--home', home.path], { env: shortLease });
    url = await started.untilRunning();
    const { name, password } = started.credentials!;
    client = await signIn(url, name, password);
    browser = await ConsoleBrowser.open(url);
    page = browser.page;
  });
  afterAll(async () => {
    await browser?.close();
    shell?.kill('SIGKILL');
    await endProcessesByMarker(machine.path);
    await started?.end('SIGINT');
    await endProcessesByMarker(home.path);
    machine.remove();
    home.remove();
  });

  const idInAddress = (room: string) => new RegExp(`/${room}/([0-9a-f-]{36})`).exec(page.url())![1]!;
  const nodes = async () => (await client.get<RestPage<NodeListItem>>('/nodes?limit=100')).items;
  const nodeWith = async (label: string, value: string) => (await nodes()).find(({ labels }) => labels[label] === value);
  const taskOf = async (runId: string, key: string) => {
    const { items } = await client.get<RunTasks>(`/runs/${runId}/tasks`);
    return items.find((item) => item.key === key)!;
  };

  it('begins with the password that was printed, and shows the examples running by themselves', async () => {
    await page.goto('/');
    await browser.signIn(started.credentials!.name, started.credentials!.password);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('link', { name: 'Runs', exact: true }).first().click();
    const row = page.locator('main tbody tr', { hasText: 'orders-etl' }).filter({ hasText: 'Succeeded' });
    await row.first().waitFor({ timeout: 150_000 });
    const { items } = await client.get<RestPage<RunListItem>>('/runs?limit=100');
    expect(items.find(({ workflow }) => workflow === 'orders-etl')).toMatchObject({
      state: 'succeeded',
      project: 'examples',
      taskCount: 7,
    });
  });

  it('tells why a task of an example ran on its node', async () => {
    const row = page.locator('main tbody tr', { hasText: 'orders-etl' }).first();
    await row.locator('a[href^="/runs/"]').first().click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    await page.locator('.flow-task', { hasText: 'join' }).click();
    await page.getByRole('tab', { name: 'Why this node' }).click();
    const { attempt } = await taskOf(idInAddress('runs'), 'join');
    const placement = await client.get<PlacementView>(`/attempts/${attempt!.id}/placement`);
    await page.getByText(`${placement.node} was chosen.`).waitFor();
    const rows = await page.locator('.score-table tbody tr').allTextContents();
    expect(rows.find((text) => text.includes('chosen'))).toContain(placement.node);
    expect(rows.length).toBeGreaterThan(1);
  });

  it('brings a fourth machine by the pasted line, in a directory with nothing in it', async () => {
    await page.goto('/nodes');
    await page.getByRole('button', { name: 'Join a node' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Join a node' });
    await dialog.getByLabel('Labels').fill('place=desk');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const line = await dialog.getByLabel('Paste this line into a terminal').textContent();
    const work = join(machine.path, 'empty');
    mkdirSync(work);
    shell = spawn('sh', ['-c', `exec ${line}`], { cwd: work, env: { PATH: process.env.PATH, HOME: machine.path }, stdio: 'pipe' });
    for (const stream of [shell.stdout!, shell.stderr!]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const desk = await waitFor(async () => ((await nodeWith('place', 'desk'))?.state === 'online' ? nodeWith('place', 'desk') : null), {
      timeoutMs: 60_000,
      describe: () => `the pasted line to bring a node; it printed ${printed}`,
    });
    await page.keyboard.press('Escape');
    await page.getByText(desk!.name, { exact: true }).first().waitFor();
    expect((await nodes()).map(({ state }) => state)).toEqual(['online', 'online', 'online', 'online']);
  });

  it('publishes a pasted definition, whose next fire stands in the console', async () => {
    await page.goto('/workflows/new');
    await browser.writeYaml(ownYaml);
    await page.locator('.flow-task', { hasText: 'report' }).waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.waitForURL(/\/workflows\/[0-9a-f-]{36}/);
    const stored = await client.get<WorkflowView>(`/workflows/${idInAddress('workflows')}`);
    expect(stored).toMatchObject({ name: 'stock-report', latestVersion: 1, taskCount: 2, scheduleCount: 1 });
    expect(stored.version.yaml).toBe(ownYaml);
    const [schedule] = (await client.get<RestPage<ScheduleView>>(`/schedules?workflowId=${stored.id}`)).items;
    expect(schedule).toMatchObject({ name: 'every-morning', cron: '30 7 * * 1-5', zone: 'Asia/Shanghai', enabled: true });
    expect(schedule!.nextFireAt).toMatch(/T23:30:00/);
    await page.getByRole('tab', { name: 'Schedules 1' }).click();
    await page.locator(`time[datetime="${schedule!.nextFireAt}"]`).first().waitFor();
  });

  it('loses the machine that runs it and recovers on another one, which the page shows', async () => {
    const weak = (await nodeWith('strength', 'weak'))!;
    await client.patch(`/nodes/${weak.id}`, { cordoned: true });
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('button', { name: 'Start run' }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    const runId = idInAddress('runs');
    const first = await waitFor(
      async () => {
        const { attempt, state } = await taskOf(runId, 'count');
        return state === 'running' ? attempt : null;
      },
      { describe: 'the task to run' },
    );
    expect(first!.nodeId).toBe((await nodeWith('place', 'desk'))!.id);
    await page.locator('.flow-task', { hasText: 'count' }).click();
    await page.getByRole('log').getByText('counting on').waitFor();
    await page.getByRole('tab', { name: 'Why this node' }).click();
    await page
      .locator('.removed-nodes')
      .getByRole('row', { name: /^1 Cordoned or draining cordoned or draining weak$/ })
      .waitFor();
    await page.getByRole('tab', { name: 'Log', exact: true }).click();
    await client.patch(`/nodes/${weak.id}`, { cordoned: false });

    expect(await endProcessesByMarker(machine.path)).toBeGreaterThan(0);

    await page.locator('.page-header').getByText('Succeeded').waitFor({ timeout: 90_000 });
    expect(await client.get<RunView>(`/runs/${runId}`)).toMatchObject({ state: 'succeeded' });
    const { attempts } = await client.get<TaskRunView>(`/task-runs/${(await taskOf(runId, 'count')).id}`);
    expect(attempts.map(({ state, node }) => [state, node === 'weak'])).toEqual([
      ['lost', false],
      ['succeeded', true],
    ]);
    await page.getByRole('log').getByText('counting on weak').waitFor();
    expect((await nodeWith('place', 'desk'))!.state).not.toBe('online');
  });

  it('meets no error of the page on the way', () => {
    expect(browser.complaints).toEqual([]);
  });
});

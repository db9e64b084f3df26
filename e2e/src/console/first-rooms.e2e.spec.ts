import { fileURLToPath } from 'node:url';
import type {
  LogPage,
  NodeListItem,
  PlacementReplay,
  PlacementView,
  Page as RestPage,
  RunTasks,
  RunView,
  WorkflowListItem,
  WorkflowView,
} from '@medley/contracts';
import { Stack, untilNodes, waitFor } from '@medley/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser } from './console-browser.js';

const consoleDirectory = fileURLToPath(new URL('../../../apps/console/dist', import.meta.url));

const workflowYaml = `medley: 1
project: default
workflow: greeting
description: Greets someone, then thanks
parameters:
  name: { type: string, default: World }
tasks:
  greet:
    resources: { cpu: 0.01 }
    env: { NAME: "\${{ parameters.name }}" }
    run: |
      printf '\\033[32mhello %s\\033[0m\\n' "$NAME"
      echo 第二行
  thank:
    needs: [greet]
    resources: { cpu: 0.01 }
    run: echo thanks
`;

let stack: Stack;
let browser: ConsoleBrowser;
let page: Page;

beforeAll(async () => {
  stack = await Stack.start({ serverEnv: { MEDLEY_CONSOLE_DIR: consoleDirectory } });
  await stack.addAgent({ name: 'slow', declaredSpeed: 1 });
  await stack.addAgent({ name: 'fast', declaredSpeed: 3 });
  await untilNodes(stack.databaseUrl, ['slow', 'fast']);
  browser = await ConsoleBrowser.open(stack.url);
  page = browser.page;
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const idInAddress = (room: string) => new RegExp(`/${room}/([0-9a-f-]{36})`).exec(page.url())![1]!;
const greetTask = async (runId: string) =>
  (await stack.admin.get<RunTasks>(`/runs/${runId}/tasks`)).items.find(({ key }) => key === 'greet')!;

/** The steps of a first day, in their order: each goes on where the one before ended. */
describe('a person with a browser', () => {
  it('is asked to sign in, told when that failed, and led to where they wanted to go', async () => {
    await page.goto('/workflows?search=greet');
    await browser.signIn(stack.bootstrap.adminName, 'not the password');
    await page.getByRole('alert').getByText('The name or the password is wrong').waitFor();
    await browser.signIn(stack.bootstrap.adminName, stack.bootstrap.adminPassword);
    await page.waitForURL('**/workflows?search=greet');
    await page.getByText('No workflow matches').waitFor();
    expect(await page.title()).toBe('Workflows · Medley');
  });

  it('sees a fault of a definition at its line and column, beside the graph of the text', async () => {
    await page.goto('/workflows/new');
    await browser.writeYaml(workflowYaml.replace('needs: [greet]', 'need: [greet]'));
    await page.getByRole('button', { name: '15:5' }).getByText('did you mean').waitFor();
    expect(await page.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
    await browser.writeYaml(workflowYaml);
    await page.locator('.flow-task', { hasText: 'thank' }).waitFor();
    expect(await page.locator('.flow-task').count()).toBe(2);
    expect(await page.locator('.vue-flow__edge').count()).toBe(1);
  });

  it('sees what creating it would change, and creates it', async () => {
    await page.getByRole('button', { name: 'Create' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('“greeting” will be created').waitFor();
    expect((await stack.admin.get<RestPage<WorkflowListItem>>('/workflows')).items).toEqual([]);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL(/\/workflows\/[0-9a-f-]{36}/);
    const stored = await stack.admin.get<WorkflowView>(`/workflows/${idInAddress('workflows')}`);
    expect(stored).toMatchObject({ name: 'greeting', latestVersion: 1, taskCount: 2 });
    expect(stored.version.yaml).toBe(workflowYaml);
  });

  it('runs it with a parameter from the form and watches it succeed', async () => {
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByLabel('name').fill('Medley');
    await page.getByRole('button', { name: 'Start run' }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    await page.locator('.page-header').getByText('Succeeded').waitFor();
    const run = await stack.admin.get<RunView>(`/runs/${idInAddress('runs')}`);
    expect(run).toMatchObject({ workflow: 'greeting', state: 'succeeded', trigger: 'manual', parameters: { name: 'Medley' } });
    await page.getByRole('button', { name: '2 Succeeded' }).waitFor();
  });

  it('reads the log of a task, in its colours, as it is stored', async () => {
    await page.locator('.flow-task', { hasText: 'greet' }).click();
    const lines = page.getByRole('log').locator('.log-line .text');
    await lines.getByText('第二行').waitFor();
    expect(await lines.allTextContents()).toEqual(['hello Medley', '第二行']);
    expect(await lines.locator('span').first().getAttribute('style')).toContain('--ansi-2');
    const { attempt } = await greetTask(idInAddress('runs'));
    const log = await stack.admin.get<LogPage>(`/attempts/${attempt!.id}/log`);
    expect(log.parts.map(({ text }) => text).join('')).toBe('\u001b[32mhello Medley\u001b[0m\n第二行\n');
    await page.getByText('2 lines · complete').waitFor();
  });

  it('sees on which node it ran and why, and gets the same decision again', async () => {
    const { attempt } = await greetTask(idInAddress('runs'));
    const placement = await stack.admin.get<PlacementView>(`/attempts/${attempt!.id}/placement`);
    await page.getByRole('tab', { name: 'Why this node' }).click();
    await page.getByText(`${attempt!.node} was chosen. Candidates among the nodes: 2 of 2.`).waitFor();
    const rows = await page.locator('.score-table tbody tr').allTextContents();
    expect(rows.find((row) => row.includes('fast'))).toMatch(/3\.000.*75\.0 %/);
    expect(rows.find((row) => row.includes('slow'))).toMatch(/1\.000.*25\.0 %/);
    expect(rows.find((row) => row.includes('chosen'))).toContain(placement.node);
    await page.getByRole('button', { name: 'Decide again' }).click();
    await page.getByText('Identical: the same input led to the same decision.').waitFor();
    const replay = await stack.admin.post<PlacementReplay>(`/attempts/${attempt!.id}/placement/replay`);
    expect(replay.identical).toBe(true);
  });

  it('has the same view again behind its address', async () => {
    await page.reload();
    await page.getByText('Candidates among the nodes: 2 of 2').waitFor();
    expect(await page.getByRole('tab', { name: 'Why this node' }).getAttribute('aria-selected')).toBe('true');
  });

  it('sees without reloading what somebody else changed, and changes it back', async () => {
    await page.getByRole('link', { name: 'Nodes' }).click();
    const card = page.locator('.node-card', { hasText: 'slow' });
    await card.getByText('Online').waitFor();
    const { items } = await stack.admin.get<RestPage<NodeListItem>>('/nodes');
    const slow = items.find(({ name }) => name === 'slow')!;
    await stack.admin.patch(`/nodes/${slow.id}`, { cordoned: true });
    await card.getByText('Cordoned').waitFor();
    await card.getByRole('button', { name: 'slow' }).click();
    await page.getByRole('button', { name: 'Uncordon' }).click();
    await waitFor(async () => !(await stack.admin.get<NodeListItem>(`/nodes/${slow.id}`)).cordoned, {
      describe: 'the node to be uncordoned',
    });
  });

  it('reads it in Chinese and in the dark after choosing so, also after coming back', async () => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('menuitem', { name: '中文' }).click();
    await page.getByRole('button', { name: '主题' }).click();
    await page.getByRole('menuitem', { name: '深色' }).click();
    await page.reload();
    await page.getByRole('heading', { name: '总览' }).waitFor();
    expect(await page.locator('html').getAttribute('class')).toContain('dark');
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
  });

  it('met no error of the page on the way', () => {
    expect(browser.complaints).toEqual([]);
  });
});

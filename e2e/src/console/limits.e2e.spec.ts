import { fileURLToPath } from 'node:url';
import type { ApplyAnswer, LimitView, Page as RestPage, RunTasks, RunView } from '@medley/contracts';
import { aWorkflow, Stack, waitFor } from '@medley/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser } from './console-browser.js';

const consoleDirectory = fileURLToPath(new URL('../../../apps/console/dist', import.meta.url));

let stack: Stack;
let browser: ConsoleBrowser;
let page: Page;

beforeAll(async () => {
  stack = await Stack.start({ serverEnv: { MEDLEY_CONSOLE_DIR: consoleDirectory } });
  browser = await ConsoleBrowser.open(stack.url);
  page = browser.page;
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const limits = async () => (await stack.admin.get<RestPage<LimitView>>('/limits')).items;

describe('the room of limits', () => {
  it('creates a limit, tells its holder and its queue, and lets a waiting task go when slots are raised', async () => {
    await page.goto('/limits');
    await browser.signIn(stack.bootstrap.adminName, stack.bootstrap.adminPassword);
    await page.getByRole('button', { name: 'Create a limit' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Create a limit' });
    await dialog.getByLabel('Name').fill('licence');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('row', { name: /licence/ }).waitFor();
    const [limit] = await limits();
    expect(limit).toMatchObject({ name: 'licence', slots: 1, rate: null });

    await stack.addAgent({ name: 'alpha' });
    const task = { run: 'sleep 300', limits: ['licence'], resources: { cpu: 0.1 } };
    const { workflowId } = await stack.admin.post<ApplyAnswer>('/workflows/apply', aWorkflow({ a: task, b: task }));
    const run = await stack.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
    const running = async () =>
      (await stack.admin.get<RunTasks>(`/runs/${run.id}/tasks`)).items.filter(({ state }) => state === 'running').length;
    await waitFor(async () => (await running()) === 1);

    await page.getByRole('button', { name: 'licence', exact: true }).click();
    const drawer = page.getByRole('dialog', { name: 'licence' });
    await drawer.getByText('Holders (1)').waitFor();
    await drawer.getByText('Queue (1)').waitFor();
    const { items } = await stack.admin.get<RunTasks>(`/runs/${run.id}/tasks`);
    const [holder, waiting] = [true, false].map((runs) => items.find(({ state }) => (state === 'running') === runs)!.key);
    await page.goto(`/runs/${run.id}?task=${waiting}&pane=why`);
    await page.getByRole('tab', { name: 'Why is it waiting', selected: true }).waitFor();
    await page
      .locator('.why-panel')
      .getByText(`limit licence: 1 of 1, held by test/${holder} (run ${run.id.slice(-8)})`)
      .waitFor();
    await page.goto('/limits');
    await page.getByRole('button', { name: 'Actions of licence' }).click();
    await page.getByRole('menuitem', { name: 'Change' }).click();
    const change = page.getByRole('dialog', { name: 'Change the limit licence' });
    await change.getByRole('spinbutton', { name: 'Slots' }).fill('2');
    await change.getByRole('spinbutton', { name: 'Slots' }).press('Tab');
    await change.getByRole('button', { name: 'Save' }).click();
    await waitFor(async () => (await running()) === 2);
    await page.getByRole('row', { name: /licence.*2 of 2/ }).waitFor();
  });

  it('tells of keys of runs who is under way and who waits, and of the run that waits for whom', async () => {
    const file = aWorkflow({ a: { run: 'sleep 300', resources: { cpu: 0.1 } } }, { workflow: 'keyed', concurrency: { key: 'day-1' } });
    const { workflowId } = await stack.admin.post<ApplyAnswer>('/workflows/apply', file);
    const start = () => stack.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
    const [first, second] = [await start(), await start()];
    await page.goto('/limits');
    const row = page.getByRole('row', { name: /day-1/ });
    await row.getByRole('link', { name: first.id.slice(-8) }).waitFor();
    await row.getByRole('link', { name: second.id.slice(-8) }).click();
    await page.getByText('Its run waits for a key').first().waitFor();
    await page.getByText(`held by run ${first.id.slice(-8)}`).waitFor();
    expect(await page.getByText('failed before its first task').count()).toBe(0);
  });

  it('met no error of the page on the way', () => {
    expect(browser.complaints).toEqual([]);
  });
});

import { fileURLToPath } from 'node:url';
import type { ApplyAnswer, RunTasks, RunView } from '@medley/contracts';
import { aWorkflow, Stack, waitFor } from '@medley/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser } from './console-browser.js';

const consoleDirectory = fileURLToPath(new URL('../../../apps/console/dist', import.meta.url));

let stack: Stack;
let browser: ConsoleBrowser;
let page: Page;
let workflowId: string;

beforeAll(async () => {
  stack = await Stack.start({ redis: false, serverEnv: { MEDLEY_CONSOLE_DIR: consoleDirectory } });
  const tasks = {
    approve: { kind: 'approval', by: ['role:operator'], deadline: '2d' },
    deploy: { run: 'true', needs: ['approve'] },
    page: { kind: 'noop', needs: ['deploy'] },
  };
  const definition = aWorkflow(tasks as never, { workflow: 'release', parameters: { count: { type: 'integer', default: 1 } } });
  workflowId = (await stack.admin.post<ApplyAnswer>('/workflows/apply', definition)).workflowId!;
  browser = await ConsoleBrowser.open(stack.url);
  page = browser.page;
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const statesOf = async (runId: string) => (await stack.admin.get<RunTasks>(`/runs/${runId}/tasks`)).items.map(({ state }) => state);
const runOf = (id: string) => stack.admin.get<RunView>(`/runs/${id}`);
let runId: string;

/** Steps in their order: each goes on where the one before ended. */
describe('steering a run in the console', () => {
  it('begins with what the run would do', async () => {
    await page.goto(`/workflows/${workflowId}`);
    await browser.signIn(stack.bootstrap.adminName, stack.bootstrap.adminPassword);
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('button', { name: 'What would run' }).click();
    const plan = page.getByRole('dialog', { name: 'What a run of “release” would do' });
    await plan.getByRole('button', { name: 'deploy', exact: true }).waitFor();
    expect((await stack.admin.get<{ items: unknown[] }>('/runs')).items).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Start run' }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    runId = /runs\/([0-9a-f-]{36})/.exec(page.url())![1]!;
  });

  it('pauses it, and approves what waits in the inbox meanwhile', async () => {
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    expect((await runOf(runId)).state).toBe('paused');
    await page.getByRole('link', { name: /Approvals/ }).click();
    await page.getByRole('row', { name: 'approve' }).getByRole('button', { name: 'Approve' }).click();
    const dialog = page.getByRole('dialog', { name: 'Approve “approve”?' });
    await dialog.getByLabel('Comment, kept with the decision').fill('go ahead');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Nothing waits for a decision').waitFor();
    expect(await statesOf(runId)).toEqual(['succeeded', 'paused', 'waiting']);
  });

  it('skips a task with a reason, resumes, and runs again from a task', async () => {
    await page.goto(`/runs/${runId}?task=page&view=list`);
    await page.getByRole('button', { name: 'Decide its end' }).click();
    const dialog = page.getByRole('dialog', { name: 'Decide how “page” ends' });
    await dialog.getByLabel('Why').fill('nobody has to be told');
    await dialog.getByRole('button', { name: 'Decide' }).click();
    await waitFor(async () => (await statesOf(runId))[2] === 'skipped');
    await page.getByText('nobody has to be told').first().waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await waitFor(async () => (await runOf(runId)).state !== 'paused');
    await stack.admin.post(`/runs/${runId}/cancel`);
    await page.goto(`/runs/${runId}?task=deploy&view=list`);
    await page.getByRole('button', { name: 'Run again from here' }).click();
    const rerun = page.getByRole('dialog', { name: 'Run again from deploy?' });
    await rerun.getByText('Keeps its result').waitFor();
    await rerun.locator('summary').click();
    const count = rerun.getByLabel('count');
    await count.fill('2');
    await count.press('Tab');
    await rerun.getByText('The approval approve was given for the earlier values.').waitFor();
    expect(await rerun.getByRole('button', { name: 'Start the run' }).isDisabled()).toBe(true);
    await count.fill('1');
    await count.press('Tab');
    await rerun.getByRole('button', { name: 'Start the run' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/runs/') && !url.pathname.includes(runId));
    expect(browser.complaints).toEqual([]);
  });

  it('goes down into the run of a sub-workflow and up again, and cancels it with its parent', async () => {
    const yaml = 'medley: 1\nproject: default\nworkflow: outer\ntasks:\n  inner:\n    kind: workflow\n    workflow: release\n';
    const outer = (await stack.admin.apply(yaml)).workflowId!;
    await page.goto(`/workflows/${outer}`);
    await page.locator('.flow-task', { hasText: 'inner' }).dblclick();
    const form = page.getByRole('region', { name: 'Task inner' });

    expect(await form.getByLabel('Workflow it runs').inputValue()).toBe('release');

    const { id } = await stack.admin.post<RunView>(`/workflows/${outer}/runs`, { parameters: {} });
    const child = await waitFor(async () => (await stack.admin.get<RunTasks>(`/runs/${id}/tasks`)).items[0]!.child);
    await page.goto(`/runs/${id}?task=inner&view=list`);
    await page.getByRole('link', { name: new RegExp(`release ${child.runId.slice(-8)}`) }).click();
    await page.waitForURL((url) => url.pathname.endsWith(child.runId));
    await page.getByRole('link', { name: `outer ${id.slice(-8)}` }).click();
    await page.waitForURL((url) => url.pathname.endsWith(id));
    await page.getByRole('button', { name: 'Cancel run' }).click();
    await page.getByText('Runs that its tasks have started are cancelled with it.').waitFor();
    await page.getByRole('button', { name: 'Cancel the run' }).click();
    await waitFor(async () => (await runOf(id)).state === 'cancelled');
    expect((await runOf(child.runId)).state).toBe('cancelled');
    await page.goto(`/runs/${child.runId}`);
    expect(await page.getByRole('button', { name: 'Rerun failed' }).isDisabled()).toBe(true);
    expect(browser.complaints).toEqual([]);
  });
});

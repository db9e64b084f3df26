import { fileURLToPath } from 'node:url';
import type { ApplyAnswer, CreatedUser, ProjectView, Page as RestPage, RunView } from '@medley/contracts';
import { aWorkflow, Stack } from '@medley/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser } from './console-browser.js';

const consoleDirectory = fileURLToPath(new URL('../../../apps/console/dist', import.meta.url));
const PASSWORD = 'correct horse battery';

let stack: Stack;
let browser: ConsoleBrowser;
let page: Page;

beforeAll(async () => {
  stack = await Stack.start({ redis: false, serverEnv: { MEDLEY_CONSOLE_DIR: consoleDirectory } });
  browser = await ConsoleBrowser.open(stack.url);
  page = browser.page;
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const projects = async () => (await stack.admin.get<RestPage<ProjectView>>('/projects')).items;
const names = async () => (await projects()).map(({ name }) => name);
const menuOf = async (name: string, item: string) => {
  await page.getByRole('button', { name: `Actions of project ${name}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
};
const row = (name: string) => page.getByRole('row', { name });

/** Steps in their order: each goes on where the one before ended. */
describe('the room of the projects', () => {
  it('creates a project, which is then stored and offered in the project switch', async () => {
    await page.goto('/projects');
    await browser.signIn(stack.bootstrap.adminName, stack.bootstrap.adminPassword);
    await page.getByRole('button', { name: 'New project' }).click();
    const dialog = page.getByRole('dialog', { name: 'New project' });
    const create = dialog.getByRole('button', { name: 'Create' });
    await dialog.getByLabel('Name').fill('Not a name');
    expect(await create.isDisabled()).toBe(true);
    await dialog.getByLabel('Name').fill('default');
    await create.click();
    await dialog.getByText('There is a project named "default" already.').waitFor();
    await dialog.getByLabel('Name').fill('reports');
    await create.click();
    await row('reports').waitFor();
    expect(await names()).toEqual(['default', 'reports']);
    await page.getByRole('combobox', { name: 'Project' }).click();
    await page.getByRole('option', { name: 'reports' }).click();
  });

  it('renames it, and shows what it was called', async () => {
    await menuOf('reports', 'Rename');
    const dialog = page.getByRole('dialog', { name: 'Rename project “reports”' });
    await dialog.getByLabel('Name').fill('accounts');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await row('accounts reports').waitFor();
    expect(await projects()).toMatchObject([{ name: 'accounts', formerNames: ['reports'] }, { name: 'default' }]);
  });

  it('finds by name and by former name, and keeps the search in the address', async () => {
    await page.getByRole('textbox', { name: 'Search projects' }).fill('report');
    await row('default').waitFor({ state: 'hidden' });
    expect(await row('accounts').isVisible()).toBe(true);
    await page.waitForURL(/search=report/);
    await page.getByRole('textbox', { name: 'Search projects' }).fill('nothing like it');
    await page.getByText('No project has such a name').waitFor();
    await page.getByRole('textbox', { name: 'Search projects' }).fill('');
    await row('default').waitFor();
  });

  it('removes none with active runs, and says before it removes another what goes with it', async () => {
    const file = aWorkflow({ a: { run: 'true' } }, { project: 'accounts', schedules: { nightly: { cron: '0 3 * * *', zone: 'UTC' } } });
    const { workflowId } = await stack.admin.post<ApplyAnswer>('/workflows/apply', file);
    const { id } = await stack.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
    await menuOf('accounts', 'Remove');
    const dialog = page.getByRole('dialog', { name: 'Remove project “accounts”?' });
    const remove = dialog.getByRole('button', { name: 'Remove' });
    await dialog.getByText('It has active runs').waitFor();
    expect(await remove.isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await stack.admin.post(`/runs/${id}/cancel`);
    await menuOf('accounts', 'Remove');
    await dialog.getByText('It has active runs').waitFor({ state: 'hidden' });
    const facts = ((await dialog.locator('.drawer-facts').textContent()) ?? '').replace(/\s+/g, '');
    for (const fact of ['Workflows1', 'Schedules1', 'Runs1', 'Activeruns0']) expect(facts).toContain(fact);
    expect(await names()).toContain('accounts');
    await remove.click();
    await dialog.waitFor({ state: 'hidden' });
    await row('accounts').waitFor({ state: 'hidden' });
    expect(await names()).toEqual(['default']);
    await page.locator('.project-switch', { hasText: 'All projects' }).waitFor();
    expect(browser.complaints).toEqual([]);
  });

  it('is not among the rooms of the admin of a project, who may not change projects', async () => {
    const [{ id: projectId }] = (await projects()) as [ProjectView];
    const body = { name: 'paula', password: PASSWORD, mustChangePassword: false };
    const { id } = await stack.admin.post<CreatedUser>('/users', body);
    await stack.admin.request('PUT', `/projects/${projectId}/members`, {
      body: JSON.stringify({ kind: 'user', principalId: id, role: 'admin' }),
      headers: { 'content-type': 'application/json' },
    });
    await browser.context.clearCookies();
    await page.goto('/projects');
    await browser.signIn('paula', PASSWORD);
    await row('default').waitFor();
    const navigation = page.getByRole('navigation', { name: 'Main navigation' });
    expect(await navigation.getByRole('link', { name: 'Access' }).isVisible()).toBe(true);
    expect(await navigation.getByRole('link', { name: 'Projects' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'New project' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /Actions of project/ }).count()).toBe(0);
  });
});

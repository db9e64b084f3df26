import { fileURLToPath } from 'node:url';
import type { ApplyAnswer, PoolView, Page as RestPage, RunListItem } from '@medley/contracts';
import { query, Stack, waitFor } from '@medley/testing';
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

const pools = async () => (await stack.admin.get<RestPage<PoolView>>('/pools')).items;
const menuOf = async (name: string, item: string) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
};
const confirm = () => page.getByRole('dialog', { name: 'Delete this pool?' }).getByRole('button', { name: 'Delete' }).click();

/** Steps in their order: each goes on where the one before ended. */
describe('the room of the pools', () => {
  it('creates a pool with its policy, which is then stored', async () => {
    await page.goto('/pools');
    await browser.signIn(stack.bootstrap.adminName, stack.bootstrap.adminPassword);
    await page.getByRole('button', { name: 'New pool' }).click();
    const dialog = page.getByRole('dialog', { name: 'New pool' });
    const create = dialog.getByRole('button', { name: 'Create pool' });
    await dialog.getByLabel('Name of the pool').fill('Not a name');
    expect(await create.isDisabled()).toBe(true);
    await dialog.getByLabel('Name of the pool').fill('etl');
    await dialog.locator('.el-radio', { hasText: 'Smooth weighted round robin' }).click();
    await create.click();
    await page.getByRole('row', { name: /etl Smooth weighted round robin/ }).waitFor();
    expect(await pools()).toMatchObject([{ name: 'default' }, { name: 'etl', policy: { selector: 'smooth-weighted-round-robin' } }]);
  });

  it('limits the load of the nodes that take work, which is stored, shown and taken back', async () => {
    const policyOf = async () => (await pools()).find(({ name }) => name === 'etl')?.policy;
    const save = async () => {
      await page.getByRole('dialog', { name: 'Placement policy of etl' }).getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog', { name: 'Placement policy of etl' }).waitFor({ state: 'hidden' });
    };
    await menuOf('etl', 'Change the policy');
    await page.locator('.load-limit .el-checkbox').click();
    await page.getByRole('spinbutton', { name: 'Maximum CPU load in percent' }).fill('70');
    await page.getByRole('spinbutton', { name: 'Maximum CPU load in percent' }).press('Tab');
    await save();
    expect(await policyOf()).toEqual({ selector: 'smooth-weighted-round-robin', maxCpuPercent: 70 });
    await page.getByRole('row', { name: /etl Smooth weighted round robin CPU < 70 %/ }).waitFor();
    await menuOf('etl', 'Change the policy');
    await page.locator('.load-limit .el-checkbox').click();
    await save();
    expect(await policyOf()).toEqual({ selector: 'smooth-weighted-round-robin' });
  });

  it('tells that a name is taken', async () => {
    await page.getByRole('button', { name: 'New pool' }).click();
    const dialog = page.getByRole('dialog', { name: 'New pool' });
    await dialog.getByLabel('Name of the pool').fill('etl');
    await dialog.getByRole('button', { name: 'Create pool' }).click();
    await dialog.getByText('There is a pool named "etl" already.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await pools()).toHaveLength(2);
  });

  it('offers the new pool to nodes that join, and keeps it while their token is in force', async () => {
    await page.goto('/nodes');
    await page.getByRole('button', { name: 'Join a node' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Join a node' });
    await dialog.getByRole('combobox', { name: 'Pool' }).click({ force: true });
    await page.getByRole('option', { name: 'etl' }).click();
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByText('MEDLEY_JOIN_TOKEN=').first().waitFor({ state: 'attached' });
    expect(
      await query(stack.databaseUrl, `select p.name from join_tokens j join pools p on p.id = j.pool_id order by j.id desc limit 1`),
    ).toEqual([{ name: 'etl' }]);
    await page.goto('/pools');
    await menuOf('etl', 'Delete');
    await confirm();
    await page.getByText('1 join token(s) in force').waitFor();
    expect(await pools()).toHaveLength(2);
  });

  it('deletes a pool that nothing uses after asking', async () => {
    await stack.admin.post('/pools', { name: 'short-lived' });
    await page.getByRole('row', { name: /short-lived/ }).waitFor();
    await menuOf('short-lived', 'Delete');
    await confirm();
    await page.getByRole('row', { name: /short-lived/ }).waitFor({ state: 'detached' });
    expect((await pools()).map(({ name }) => name)).toEqual(['default', 'etl']);
  });

  it('leaves a schedule that names a deleted pool with a failed run, whose page says why', async () => {
    const pool = await stack.admin.post<PoolView>('/pools', { name: 'gone' });
    const document = { medley: 1, project: 'default', workflow: 'orphan', tasks: { a: { run: 'true', pool: 'gone' } } };
    const { workflowId } = await stack.admin.post<ApplyAnswer>('/workflows/apply', document);
    await stack.admin.delete(`/pools/${pool.id}`);
    await query(
      stack.databaseUrl,
      `insert into schedules (id, project_id, workflow_id, name, cron, zone, next_fire_at)
       select gen_random_uuid(), project_id, id, 'often', '* * * * * *', 'UTC', date_trunc('second', clock_timestamp()) from workflows where id = $1`,
      [workflowId],
    );
    const path = `/runs?workflowId=${workflowId}&state=failed&limit=1`;
    const run = await waitFor(async () => (await stack.admin.get<RestPage<RunListItem>>(path)).items[0], { describe: 'the failed run' });
    await query(stack.databaseUrl, 'update schedules set enabled = false');
    await page.goto(`/runs/${run.id}`);
    await page.getByText('The run failed before its first task').waitFor();
    await page.getByText('There is no pool named `gone`').waitFor();
  });

  it('met no error of the page on the way', () => {
    expect(browser.complaints).toEqual([]);
  });
});

import { fileURLToPath } from 'node:url';
import type {
  ApplyAnswer,
  NodeListItem,
  NodeView,
  PlacementListItem,
  PoolDistribution,
  PoolView,
  Page as RestPage,
  RunView,
  SavedViewList,
} from '@medley/contracts';
import { Stack, untilNodes, waitFor } from '@medley/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser } from './console-browser.js';

const consoleDirectory = fileURLToPath(new URL('../../../apps/console/dist', import.meta.url));

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
  await page.goto('/nodes?view=table');
  await browser.signIn(stack.bootstrap.adminName, stack.bootstrap.adminPassword);
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const nodes = async () => (await stack.admin.get<RestPage<NodeListItem>>('/nodes')).items;
const nodeNamed = async (name: string) => (await nodes()).find((node) => node.name === name)!;
const rowsShown = () => page.locator('tbody tr td:first-child button').allTextContents();
const drawer = (name: string) => page.getByRole('dialog', { name });
const chosen = async (label: string, option: string) => {
  await page.getByRole('combobox', { name: label }).first().click({ force: true });
  await page.getByRole('option', { name: option, exact: true }).click();
};

/** Steps in their order: each goes on where the one before ended. */
describe('the room of the nodes', () => {
  it('sorts on the server, the largest first, and keeps that in the address', async () => {
    await page.getByRole('button', { name: 'Performance' }).click();
    await page.waitForURL(/sort=-performance/);
    await waitFor(async () => (await rowsShown()).join() === 'fast,slow', { describe: 'the fast node above the slow one' });
    await page.getByRole('button', { name: 'Performance' }).click();
    await waitFor(async () => (await rowsShown()).join() === 'slow,fast', { describe: 'the slow node above the fast one' });
  });

  it('shows the columns that were chosen, also after a reload, and keeps the order as a view on the server', async () => {
    const head = page.getByRole('columnheader', { name: 'Memory reserved' });
    await head.waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.locator('.el-checkbox', { hasText: 'Memory reserved' }).click();
    await head.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('columnheader', { name: 'CPU reserved' }).waitFor();
    expect(await head.count()).toBe(0);
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Slowest first');
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.getByRole('button', { name: 'Slowest first', exact: true }).first().waitFor();
    const { items } = await stack.admin.get<SavedViewList>('/saved-views?page=nodes');
    expect(items).toMatchObject([{ name: 'Slowest first', query: { view: 'table', sort: 'performance' } }]);
    await page.keyboard.press('Escape');
  });

  it('labels a node, which is stored, and finds it by a label expression', async () => {
    await page.getByRole('button', { name: 'fast' }).click();
    await drawer('fast').getByRole('button', { name: 'Edit labels' }).click();
    await drawer('fast').getByRole('textbox', { name: 'Labels' }).fill('zone=dc1\ndisk=ssd');
    await drawer('fast').getByRole('button', { name: 'Save' }).click();
    await drawer('fast').getByText('zone=dc1').waitFor();
    expect((await nodeNamed('fast')).labels).toEqual({ zone: 'dc1', disk: 'ssd' });
    await page.keyboard.press('Escape');
    const field = page.getByRole('textbox', { name: 'Labels, as zone = dc1' });
    await field.fill('zone = ');
    await page.getByRole('alert').getByText('expected').waitFor();
    await field.fill('zone = dc1 and not disk = hdd');
    await field.press('Enter');
    await waitFor(async () => (await rowsShown()).join() === 'fast', { describe: 'the labelled node alone' });
  });

  it('says how much a bulk drain hits, drains just what the filter finds, and tells why on the node', async () => {
    await page.getByRole('button', { name: 'All of these …' }).click();
    await page.getByRole('menuitem', { name: 'Drain all of these' }).click();
    const dialog = page.getByRole('dialog', { name: 'Drain all of these' });
    await dialog.getByText('Nodes the filter finds: 1. Of these will change: 1.').waitFor();
    expect((await nodes()).filter(({ draining }) => draining)).toEqual([]);
    await dialog.getByLabel('Reason').fill('new disks');
    await dialog.getByRole('button', { name: 'Drain 1' }).click();
    await page.locator('tbody').getByText('Draining').waitFor();
    expect((await nodes()).filter(({ draining }) => draining)).toMatchObject([
      { name: 'fast', service: { reason: 'new disks', drainAttempts: 0 } },
    ]);
    await page.getByRole('button', { name: 'fast' }).click();
    await drawer('fast').getByText('“new disks”').waitFor();
    await drawer('fast').getByText('empty, can be removed').waitFor();
  });

  it('follows the drain of a node that holds work, and shows what somebody else ends', async () => {
    const { id } = await nodeNamed('fast');
    await stack.admin.patch(`/nodes/${id}`, { draining: false });
    await drawer('fast').getByText('empty, can be removed').waitFor({ state: 'detached' });
    const document = {
      medley: 1,
      project: 'default',
      workflow: 'long',
      tasks: { a: { run: 'sleep 300', labels: 'zone = dc1', resources: { cpu: 0.01 } } },
    };
    const { workflowId } = await stack.admin.post<ApplyAnswer>('/workflows/apply', document);
    const run = await stack.admin.post<RunView>(`/workflows/${workflowId}/runs`);
    await drawer('fast').getByRole('link', { name: 'long / a' }).waitFor();
    await drawer('fast').getByRole('button', { name: 'Drain', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Drain this node?' });
    await dialog.getByText('Attempts that go on to their end: 1.').waitFor();
    await dialog.getByRole('button', { name: 'Drain', exact: true }).click();
    await drawer('fast').getByText('0 of 1 ended, 1 left').waitFor();
    expect((await stack.admin.get<NodeView>(`/nodes/${id}`)).service).toMatchObject({ drainAttempts: 1 });
    await stack.admin.post(`/runs/${run.id}/cancel`);
    await drawer('fast').getByText('empty, can be removed').waitFor();
    await drawer('fast').getByRole('button', { name: 'Stop draining' }).click();
    await waitFor(async () => (await nodeNamed('fast')).service === null, { describe: 'the node to be in service again' });
  });
});

describe('the room of placement', () => {
  it('tries a policy on the nodes before it is saved', async () => {
    await page.goto('/pools');
    await page.getByRole('button', { name: 'Actions for default' }).click();
    await page.getByRole('menuitem', { name: 'Change the policy' }).click();
    const dialog = page.getByRole('dialog', { name: 'Placement policy of default' });
    await dialog.locator('.el-radio', { hasText: 'Smooth weighted round robin' }).click();
    await dialog.getByRole('row', { name: 'fast 75.0 % 750 · 75.0 %' }).waitFor();
    await dialog.getByRole('row', { name: 'slow 25.0 % 250 · 25.0 %' }).waitFor();
    expect((await stack.admin.get<RestPage<PoolView>>('/pools')).items[0]!.policy.selector).toBe('resource-pick-kx');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  it('counts placements as they happen against the weights, as the API does', async () => {
    await page.getByRole('link', { name: 'Distribution' }).click();
    await page.getByRole('heading', { name: 'Placement', exact: true }).waitFor();
    const tasks = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`t${index}`, { run: 'true', resources: { cpu: 0.01 } }]));
    const { workflowId } = await stack.admin.post<ApplyAnswer>('/workflows/apply', {
      medley: 1,
      project: 'default',
      workflow: 'many',
      tasks,
    });
    await stack.admin.post(`/workflows/${workflowId}/runs`);
    await page.getByText('Decisions counted: 41.').waitFor();
    const [pool] = (await stack.admin.get<RestPage<PoolView>>('/pools')).items;
    const range = `from=${new Date(Date.now() - 3_600_000).toISOString()}&to=${new Date(Date.now() + 60_000).toISOString()}`;
    const counted = await stack.admin.get<PoolDistribution>(`/pools/${pool!.id}/distribution?${range}`);
    expect(counted.decisions).toBe(41);
    for (const share of counted.nodes) {
      const row = page.locator('.distribution-panel tbody tr', { hasText: share.node! });
      expect(await row.locator('td').nth(2).textContent()).toBe(String(share.placed));
    }
  });

  it('lists decisions by node, tells why and decides again', async () => {
    await chosen('Node', 'slow');
    await page.waitForURL(/node=/);
    const { id } = await nodeNamed('slow');
    const { items } = await stack.admin.get<RestPage<PlacementListItem>>(`/placements?nodeId=${id}`);
    await waitFor(async () => (await page.locator('.decision-panel tbody tr').count()) === items.length, {
      describe: 'the decisions of the slow node',
    });
    await page.locator('.decision-panel').getByRole('button', { name: 'Why' }).first().click();
    const why = page.getByRole('dialog', { name: 'Why this node' });
    await why.getByRole('button', { name: 'Decide again' }).click();
    await why.getByText('Identical: the same input led to the same decision.').waitFor();
  });

  it('offers nothing to change to somebody who administers no platform, and shows only placements of their projects', async () => {
    await stack.admin.post('/users', { mustChangePassword: false, name: 'vera', displayName: 'Vera', password: 'correct horse battery' });
    await browser.context.clearCookies();
    await page.goto('/login');
    await browser.signIn('vera', 'correct horse battery');
    await page.getByRole('link', { name: 'Placement' }).click();
    await page.getByText('Decisions counted: 41.').waitFor();
    expect(await page.locator('.decision-panel tbody tr').count()).toBe(0);
    await page.getByRole('link', { name: 'Nodes' }).click();
    expect(await page.getByRole('button', { name: 'All of these …' }).isDisabled()).toBe(true);
    await page.locator('.node-card', { hasText: 'slow' }).getByRole('button', { name: 'slow' }).click();
    await drawer('slow').getByText('Only a platform administrator may do this.').waitFor();
    expect(await drawer('slow').getByRole('button', { name: 'Drain', exact: true }).count()).toBe(0);
  });

  it('met no error of the page on the way', () => {
    expect(browser.complaints).toEqual([]);
  });
});

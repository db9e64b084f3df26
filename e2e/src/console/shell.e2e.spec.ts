import { fileURLToPath } from 'node:url';
import type { ApplyAnswer, NodeListItem, Page as RestPage, RunListItem, RunView, Timeline } from '@medley/contracts';
import { query, Stack, untilNodes, waitFor } from '@medley/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser } from './console-browser.js';

const consoleDirectory = fileURLToPath(new URL('../../../apps/console/dist', import.meta.url));

let stack: Stack;
let browser: ConsoleBrowser;
let page: Page;
let greeting: string;

/** Fires within every hour, but not while this runs. */
const cron = `${(new Date().getUTCMinutes() + 30) % 60} * * * *`;
const workflow = (name: string, run: string, project = 'default') => ({
  medley: 1,
  project,
  workflow: name,
  schedules: { hourly: { cron, zone: 'UTC' } },
  tasks: { only: { run, resources: { cpu: 0.01 } } },
});

beforeAll(async () => {
  stack = await Stack.start({ redis: false, serverEnv: { MEDLEY_CONSOLE_DIR: consoleDirectory } });
  await stack.addAgent({ name: 'one', declaredSpeed: 1 });
  await stack.addAgent({ name: 'two', declaredSpeed: 1 });
  await untilNodes(stack.databaseUrl, ['one', 'two']);
  await stack.admin.post('/projects', { name: 'other' });
  greeting = (await stack.admin.post<ApplyAnswer>('/workflows/apply', workflow('greeting', 'echo hello'))).workflowId!;
  await stack.admin.post<ApplyAnswer>('/workflows/apply', workflow('endless', 'sleep 600'));
  await stack.admin.post<ApplyAnswer>('/workflows/apply', workflow('elsewhere', 'true', 'other'));
  browser = await ConsoleBrowser.open(stack.url);
  page = browser.page;
  await page.goto('/');
  await browser.signIn(stack.bootstrap.adminName, stack.bootstrap.adminPassword);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const runsOf = async (workflowId: string) => (await stack.admin.get<RestPage<RunListItem>>(`/runs?workflowId=${workflowId}`)).items;
const palette = () => page.getByRole('combobox', { name: 'Search and commands' });
const line = (name: string | RegExp) => page.getByRole('option', { name });

async function say(text: string, entry: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Search or do anything' }).waitFor();
  await page.keyboard.press('ControlOrMeta+k');
  await palette().fill(text);
  await line(entry).first().waitFor();
}

describe('the shell, by keyboard alone', () => {
  it('starts a run of a workflow that is found by part of its name', async () => {
    await say('run greet', 'Run greeting');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Run greeting' }).getByRole('button', { name: 'Start run' }).press('Enter');
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    const [run] = await runsOf(greeting);
    expect(page.url()).toContain(run!.id);
    expect(run).toMatchObject({ workflow: 'greeting', trigger: 'manual' });
  });

  it('jumps to a run by the end of its id, and keeps it among the recent ones', async () => {
    const [run] = await runsOf(greeting);
    await page.goto('/nodes');
    await say(run!.id.slice(-8), new RegExp(`greeting ${run!.id.slice(-8)}`));
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/runs/${run!.id}`);
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByText('Recent').waitFor();
    await line(new RegExp(`greeting ${run!.id.slice(-8)}`)).waitFor();
    await page.keyboard.press('Escape');
    await palette().waitFor({ state: 'detached' });
  });

  it('cancels a run after asking', async () => {
    const { workflowId } = await stack.admin.post<ApplyAnswer>('/workflows/apply', workflow('endless', 'sleep 600'));
    const run = await stack.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
    await say('cancel endless', /^Cancel endless/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Cancel the run' }).press('Enter');
    await waitFor(async () => (await stack.admin.get<RunView>(`/runs/${run.id}`)).state === 'cancelled', {
      describe: 'the run to be cancelled',
    });
  });

  it('moves by arrows to a page, and shows a node beside its list', async () => {
    await say('sched', 'Schedules');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/schedules');
    await say('two', /^two/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/nodes\?node=/);
    await page.getByRole('dialog').getByText('two').first().waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL('**/nodes');
  });

  it('shows its keys at ?, opens the palette at / where a page has no search, and changes the theme', async () => {
    await page.goto('/');
    await page.getByRole('navigation').first().waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).getByText('Go to the search of the page').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await palette().fill('theme dark');
    await line('Theme: Dark').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('html.dark').waitFor();
    await page.goto('/workflows');
    await page.getByRole('button', { name: 'Run now' }).first().waitFor();
    await page.keyboard.press('/');
    expect(await page.getByLabel('Search workflows').evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it('limits what is found and the overview to the project that was chosen', async () => {
    await page.goto('/?range=quarter');
    await page.getByRole('combobox', { name: 'Project' }).click({ force: true });
    await page.getByRole('option', { name: 'other' }).click();
    await page.locator('.timeline-panel').getByRole('link', { name: 'elsewhere' }).waitFor();
    await page.locator('.timeline-panel').getByRole('link', { name: 'greeting' }).waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+k');
    await palette().fill('e');
    await line(/^elsewhere/)
      .first()
      .waitFor();
    expect(await line(/^greeting/).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Project' }).click({ force: true });
    await page.getByRole('option', { name: 'All projects' }).click();
    await page.locator('.timeline-panel').getByRole('link', { name: 'greeting' }).waitFor();
  });
});

describe('the overview', () => {
  it('says how many nodes take work when some are cordoned elsewhere', async () => {
    const figure = page.getByRole('link', { name: /Nodes online/ });
    const { items } = await stack.admin.get<RestPage<NodeListItem>>('/nodes');
    await stack.admin.patch(`/nodes/${items[0]!.id}`, { cordoned: true });
    await figure.getByText('one takes work').waitFor();
    expect(await figure.textContent()).toContain('2 / 2');
    await stack.admin.patch(`/nodes/${items[1]!.id}`, { cordoned: true });
    await figure.getByText('none takes work').waitFor();
    for (const { id } of items) await stack.admin.patch(`/nodes/${id}`, { cordoned: false });
    await figure.getByText('take').waitFor({ state: 'detached' });
  });

  it('draws a run that begins elsewhere, with its bar leading to it', async () => {
    const run = await stack.admin.post<RunView>(`/workflows/${greeting}/runs`, {});
    await page.getByRole('img', { name: /Timeline with 3 runs/ }).waitFor();
    const panel = page.locator('.timeline-panel');
    await panel.getByRole('button', { name: 'Table' }).click();
    expect(await panel.getByRole('link', { name: 'greeting' }).count()).toBe(2);
    await panel.getByText('will fire: hourly').first().waitFor();
    await panel.getByRole('link', { name: 'greeting' }).first().click();
    await page.waitForURL(`**/runs/${run.id}`);
    await page.goBack();
  });

  it('zooms into a stretch that is drawn in the timeline: address, charts and REST say the same', async () => {
    const plot = page.getByRole('img', { name: /^Timeline with/ });
    const box = (await plot.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.7, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.9, box.y + 12, { steps: 5 });
    await page.mouse.up();
    await page.waitForURL(/from=.*to=/);
    const { searchParams } = new URL(page.url());
    const seconds = (Date.parse(searchParams.get('to')!) - Date.parse(searchParams.get('from')!)) / 1000;
    expect(seconds).toBeGreaterThan(5200);
    expect(seconds).toBeLessThan(5600);
    const timeline = await stack.admin.get<Timeline>(
      `/timeline?${new URLSearchParams({ from: searchParams.get('from')!, to: searchParams.get('to')! })}`,
    );
    const count = timeline.rows.reduce((sum, { runs }) => sum + runs.length, 0);
    expect(count).toBe(3);
    await page.getByRole('img', { name: /Timeline with 3 runs/ }).waitFor();
    await page.goBack();
    await page.waitForURL((url) => !url.search.includes('from='));
  });

  it('has a table of figures behind each chart, which are those of the database', async () => {
    const panel = page.locator('.chart-panel', { hasText: 'Task runs ended' });
    await panel.getByRole('button', { name: 'Table' }).click();
    const ended = async () => {
      const cells = await panel.locator('tbody td:nth-child(2)').allTextContents();
      return cells.reduce((sum, text) => sum + Number(text), 0);
    };
    const [stored] = await query<{ count: number }>(
      stack.databaseUrl,
      `select count(*)::int as count from task_runs where state = 'succeeded'`,
    );
    await waitFor(async () => (await ended()) === stored!.count, { describe: 'the table to count what has succeeded' });
    expect(stored!.count).toBe(2);
  });

  it('met no error of the page on the way', () => {
    expect(browser.complaints).toEqual([]);
  });
});

import { fileURLToPath } from 'node:url';
import type { ApplyAnswer, Page as RestPage, ScheduleView, WorkflowView } from '@medley/contracts';
import { query, Stack, waitFor } from '@medley/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser } from './console-browser.js';

const consoleDirectory = fileURLToPath(new URL('../../../apps/console/dist', import.meta.url));

/** Five hours behind the schedules all year, and not the server's. */
const VIEWER_ZONE = 'Africa/Nairobi';
const text = `medley: 1
project: default
workflow: reports
parameters:
  region: { type: string, default: north }
schedules:
  # before work
  morning:
    cron: "0 6 * * *"   # six
    zone: Asia/Shanghai
tasks:
  a: { kind: noop }
`;

let stack: Stack;
let browser: ConsoleBrowser;
let page: Page;
let workflowId: string;

beforeAll(async () => {
  stack = await Stack.start({ serverEnv: { MEDLEY_CONSOLE_DIR: consoleDirectory } });
  workflowId = ((await stack.admin.apply(text)) as ApplyAnswer).workflowId!;
  browser = await ConsoleBrowser.open(stack.url, { zone: VIEWER_ZONE });
  page = browser.page;
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const schedules = async () => (await stack.admin.get<RestPage<ScheduleView>>('/schedules?sort=name')).items;
const yaml = async () => (await stack.admin.get<WorkflowView>(`/workflows/${workflowId}`)).version.yaml;
const choose = async (label: string, option: string) => {
  await page.getByRole('combobox', { name: label }).click({ force: true });
  await page.getByRole('option', { name: option, exact: true }).click();
};

async function save(): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'What will change' });
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
}

/** Steps in their order: each goes on where the one before ended. */
describe('the room of the schedules', () => {
  it('changes a rule by choice, which is a small change of the definition', async () => {
    await page.goto('/schedules');
    await browser.signIn(stack.bootstrap.adminName, stack.bootstrap.adminPassword);
    await page.getByRole('link', { name: 'morning' }).click();
    await page.getByText('Every day at 06:00').waitFor();
    await choose('How often', 'Weekly');
    await page.getByText(/^On Monday, .* Friday at 06:00$/).waitFor();
    const preview = page.getByRole('region', { name: 'Next fires' });
    await preview.getByText('In Asia/Shanghai').waitFor();
    await waitFor(async () => (await preview.getByText('06:00:00 GMT+08:00').count()) === 8, { describe: 'eight fires at six' });
    await preview.getByRole('columnheader', { name: `For you (${VIEWER_ZONE})` }).waitFor();
    const yours = await preview.locator('tbody tr td:nth-child(2)').allTextContents();
    expect(yours.map((at) => at.slice(-5))).toEqual(Array.from({ length: 8 }, () => '01:00'));
    await page.getByRole('button', { name: 'Review and save' }).click();
    await save();
    const [schedule] = await schedules();
    expect(schedule).toMatchObject({ name: 'morning', cron: '0 6 * * 1,2,3,4,5', zone: 'Asia/Shanghai' });
    expect(await yaml()).toBe(text.replace('"0 6 * * *"   #', '"0 6 * * 1,2,3,4,5"   #'));
  });

  it('tells what is wrong with an expression, and in words what a right one means', async () => {
    await choose('How often', 'Cron expression');
    const field = page.getByRole('textbox', { name: 'Cron expression' });
    await field.fill('61 * * * *');
    await page.getByText('minute: 61 is outside of 0 to 59').waitFor();
    expect(await page.getByRole('button', { name: 'Review and save' }).isDisabled()).toBe(true);
    await field.fill('*/5 8-17 * * MON');
    await page.getByText('every 5 minutes, in hour 8-17, on Monday').waitFor();
  });

  it('asks before a change that was not saved is left behind', async () => {
    await page.getByRole('link', { name: 'Schedules' }).first().click();
    await page.getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('textbox', { name: 'Cron expression' }).waitFor();
    await page.getByRole('link', { name: 'Schedules' }).first().click();
    await page.getByRole('button', { name: /^Leave/ }).click();
    await page.waitForURL('**/schedules');
  });

  it('adds a schedule with a parameter to a workflow', async () => {
    await page.goto(`/schedules/new?workflow=${workflowId}`);
    await page.getByRole('textbox', { name: 'Schedule' }).fill('monthly');
    await choose('How often', 'Monthly');
    await page.getByText('On day 1 of the month at 02:30').waitFor();
    await page.locator('.parameter .el-checkbox').click();
    await page.getByRole('textbox', { name: 'region' }).fill('south');
    await choose('When missed', 'Run once');
    await page.getByRole('button', { name: 'Review and save' }).click();
    await save();
    await page.getByRole('heading', { name: 'monthly' }).waitFor();
    const added = (await schedules()).find(({ name }) => name === 'monthly');
    expect(added).toMatchObject({ cron: '30 2 1 * *', parameters: { region: 'south' }, misfire: { policy: 'run-once' }, enabled: true });
    expect(await yaml()).toContain('  # before work\n  morning:');
  });

  it('switches many at once after saying how many, and sees what REST switched', async () => {
    await page.goto('/schedules?sort=-name');
    await page.getByRole('row', { name: /morning/ }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByText('2 of 2 schedules change').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('2 schedules changed').waitFor();
    expect((await schedules()).map(({ enabled }) => enabled)).toEqual([false, false]);
    await stack.admin.post('/schedules/switch', { enabled: true });
    await waitFor(async () => (await page.locator('tbody .el-switch.is-checked').count()) === 2, { describe: 'both switches to turn' });
  });

  it('shows a month of what is to come, and of what ran on a day', async () => {
    await page.goto('/schedules?view=calendar');
    await page.getByRole('button', { name: 'Next month' }).click();
    const days = page.locator('.calendar-cell', { hasText: 'morning' });
    await waitFor(async () => (await days.count()) > 19, { describe: 'a month of working days' });
    await days.first().click();
    await page.getByRole('complementary').getByRole('link', { name: 'reports · morning' }).waitFor();
    await query(
      stack.databaseUrl,
      `insert into runs (id, project_id, workflow_id, workflow_version, state, trigger, schedule_id, fire_at, task_count, open_tasks)
       select '01700000-0000-7000-8000-000000000000', project_id, workflow_id, 1, 'failed', 'schedule', id, '2024-02-10T12:00:00Z', 1, 0
       from schedules where name = 'morning'`,
    );
    await page.goto('/schedules?view=calendar&month=2024-02&day=2024-02-10');
    const day = page.getByRole('complementary', { name: /10 Feb|February 10/ });
    await day.getByText('Failed').waitFor();
    await day.getByRole('link', { name: /reports · morning/ }).click();
    await page.waitForURL('**/runs/01700000-0000-7000-8000-000000000000');
  });

  it('deletes a schedule from the definition and from the server', async () => {
    await page.goto('/schedules');
    await page.getByRole('link', { name: 'monthly' }).click();
    await page.getByRole('button', { name: 'Delete schedule' }).click();
    await page.getByRole('dialog', { name: 'What will change' }).getByText('removed').first().waitFor();
    await save();
    await page.waitForURL('**/schedules');
    expect((await schedules()).map(({ name }) => name)).toEqual(['morning']);
    expect(await yaml()).not.toContain('monthly');
  });

  it('makes a schedule that waits for another workflow, and shows what its date lacks', async () => {
    await stack.admin.apply(text.replace('reports', 'billing').replace('morning', 'early'));
    await page.goto(`/schedules/new?workflow=${workflowId}`);
    await page.getByRole('textbox', { name: 'Schedule' }).fill('after-billing');
    await page.getByText('Upstreams', { exact: true }).click();
    const field = page.getByRole('combobox', { name: 'Workflow that is waited for' });
    await field.click({ force: true });
    await field.pressSequentially('billing');
    await page.getByRole('option', { name: 'billing', exact: true }).click();
    await page.getByRole('spinbutton', { name: 'Of which date' }).fill('1');
    await page.getByRole('spinbutton', { name: 'Of which date' }).blur();
    await page.getByRole('button', { name: 'Add its own run before' }).click();
    await page.getByRole('region', { name: 'Next fires' }).getByText('00:00:00').first().waitFor();
    await page.getByRole('button', { name: 'Review and save' }).click();
    await save();
    await page.getByRole('heading', { name: 'after-billing' }).waitFor();
    const made = (await schedules()).find(({ name }) => name === 'after-billing');
    expect(made).toMatchObject({
      kind: 'upstream',
      rule: {
        upstreams: [
          { workflow: 'billing', day: -1 },
          { workflow: null, day: -1 },
        ],
      },
    });
    const dates = page.getByRole('region', { name: 'What its dates wait for' });
    await dates.getByText('waits: 1 of 2 there').first().waitFor();
    await dates.getByRole('link', { name: 'default/billing' }).first().waitFor();
  });

  it('turns it into a webhook by form', async () => {
    await page.getByRole('tab', { name: 'Rule' }).click();
    await page.getByText('Webhook', { exact: true }).click();
    await page.getByText('Parameters from places in the payload').click();
    await page.getByLabel('Where region is').fill('/order/region');
    await page.getByRole('button', { name: 'Review and save' }).click();
    await save();
    await page.getByRole('tab', { name: 'Deliveries' }).waitFor();
    expect((await schedules()).find(({ name }) => name === 'after-billing')).toMatchObject({ kind: 'webhook', rule: null });
    expect(await yaml()).toContain('/order/region');
  });

  it('met no error of the page on the way', () => {
    expect(browser.complaints).toEqual([]);
  });
});

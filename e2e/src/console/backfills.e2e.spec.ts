import { fileURLToPath } from 'node:url';
import type { ApplyAnswer, Backfill, Page as RestPage, ScheduleView, WebhookDelivery } from '@medley/contracts';
import { Stack, waitFor } from '@medley/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser } from './console-browser.js';

const consoleDirectory = fileURLToPath(new URL('../../../apps/console/dist', import.meta.url));

const text = `medley: 1
project: default
workflow: reports
parameters:
  day: { type: date }
  region: { type: string, default: north }
schedules:
  nightly: { cron: "0 6 * * *", zone: Asia/Shanghai, enabled: false, parameters: { day: "\${{ schedule.date }}" } }
  hook: { webhook: { payload: { day: /order/day } } }
tasks:
  a: { run: sleep 600 }
`;

let stack: Stack;
let browser: ConsoleBrowser;
let page: Page;
let schedules: ScheduleView[];

beforeAll(async () => {
  stack = await Stack.start({ serverEnv: { MEDLEY_CONSOLE_DIR: consoleDirectory } });
  expect(((await stack.admin.apply(text)) as ApplyAnswer).workflowId).not.toBeNull();
  schedules = (await stack.admin.get<RestPage<ScheduleView>>('/schedules?sort=name')).items;
  browser = await ConsoleBrowser.open(stack.url);
  page = browser.page;
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const idOf = (name: string) => schedules.find((schedule) => schedule.name === name)!.id;
const backfills = async () => (await stack.admin.get<RestPage<Backfill>>(`/schedules/${idOf('nightly')}/backfills`)).items;

/** Steps in their order: each goes on where the one before ended. */
describe('what starts runs beside the clock', () => {
  it('is a backfill that is previewed, started with other parameters, and goes on through a reload', async () => {
    await page.goto(`/schedules/${idOf('nightly')}?tab=backfills`);
    await browser.signIn(stack.bootstrap.adminName, stack.bootstrap.adminPassword);
    await page.getByRole('button', { name: 'New backfill' }).click();
    const wizard = page.getByRole('dialog', { name: 'Backfill nightly' });
    await wizard.getByText('7 runs will be started').waitFor();
    await wizard.getByText('default', { exact: true }).last().click();
    await wizard.getByRole('textbox', { name: /region/ }).fill('south');
    await wizard.getByRole('spinbutton', { name: 'Runs at once' }).fill('2');
    await wizard.getByText('Newest first').click();
    await wizard.getByRole('button', { name: 'Start 7 runs' }).click();
    await wizard.waitFor({ state: 'hidden' });
    const [begun] = await waitFor(async () => {
      const found = await backfills();
      return found[0]?.active === 2 && found;
    });
    expect(begun).toMatchObject({ total: 7, parallel: 2, direction: 'newest-first', parameters: { region: 'south' } });
    await page.reload();
    await page.getByText('0 of 7 ended').waitFor();
    await page.getByText('2 under way').waitFor();
  });

  it('which is cancelled with its runs, and whose dates then count as begun', async () => {
    await page.getByRole('button', { name: 'Cancel backfill' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel this backfill?' });
    await dialog.getByText('Cancel the 2 runs under way as well').click();
    await dialog.getByRole('button', { name: 'Cancel the backfill' }).click();
    await page.getByText('5 not started').waitFor();
    await page.getByText('2 of 7 ended').waitFor();
    expect(await backfills()).toMatchObject([{ state: 'cancelled', cancelled: 2, left: 5 }]);
    await page.getByRole('button', { name: 'New backfill' }).click();
    await page.getByRole('dialog', { name: 'Backfill nightly' }).getByText('5 runs will be started').waitFor();
    await page.keyboard.press('Escape');
  });

  it('and a webhook: its secret is shown once, and a delivery that is not signed is told with the reason', async () => {
    await page.goto(`/schedules/${idOf('hook')}`);
    await page.getByRole('button', { name: 'Make a secret' }).click();
    await page.getByText(/^whsec_/).waitFor();
    const address = await page
      .getByText(/\/api\/v1\/hooks\/[\w-]+$/)
      .first()
      .textContent();
    const refused = await fetch(address!.trim(), { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    expect(refused.status).toBe(401);
    await page.reload();
    await page.getByText('The header webhook-id is missing').waitFor();
    expect(await page.getByText(/^whsec_/).count()).toBe(0);
    const { items } = await stack.admin.get<RestPage<WebhookDelivery>>(`/schedules/${idOf('hook')}/webhook/deliveries`);
    expect(items).toMatchObject([{ outcome: 'refused', code: 'webhook-signature-invalid' }]);
  });

  it('met no error of the page on the way', () => {
    expect(browser.complaints).toEqual([]);
  });
});

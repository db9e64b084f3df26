import { fileURLToPath } from 'node:url';
import type { ApplyAnswer, CalendarView, Page as RestPage, ScheduleView } from '@medley/contracts';
import { Stack } from '@medley/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser } from './console-browser.js';

const consoleDirectory = fileURLToPath(new URL('../../../apps/console/dist', import.meta.url));

let stack: Stack;
let browser: ConsoleBrowser;
let page: Page;
let projectId: string;
let scheduleId: string;

beforeAll(async () => {
  stack = await Stack.start({ redis: false, serverEnv: { MEDLEY_CONSOLE_DIR: consoleDirectory } });
  const file = {
    medley: 1,
    project: 'default',
    workflow: 'settle',
    schedules: { daily: { cron: '0 8 * * *' } },
    tasks: { a: { kind: 'noop' } },
  };
  const { workflowId } = await stack.admin.post<ApplyAnswer>('/workflows/apply', file);
  const [schedule] = (await stack.admin.get<RestPage<ScheduleView>>(`/schedules?workflowId=${workflowId}`)).items;
  ({ id: scheduleId, projectId } = schedule!);
  browser = await ConsoleBrowser.open(stack.url);
  page = browser.page;
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** Steps in their order: each goes on where the one before ended. */
describe('the calendars of a project', () => {
  it('are made in their room, with the days of an iCalendar file', async () => {
    await page.goto('/calendars');
    await browser.signIn(stack.bootstrap.adminName, stack.bootstrap.adminPassword);
    await page.getByRole('button', { name: 'Make a calendar' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Make a calendar' });
    await dialog.getByLabel('Name').fill('workdays');
    const events = ['BEGIN:VEVENT', 'SUMMARY:New Year', 'DTSTART;VALUE=DATE:20200101', 'RRULE:FREQ=YEARLY', 'END:VEVENT'];
    const buffer = Buffer.from(['BEGIN:VCALENDAR', ...events, 'END:VCALENDAR'].join('\r\n'));
    await dialog.getByLabel('Days of an iCalendar file').setInputFiles({ name: 'days.ics', mimeType: 'text/calendar', buffer });
    await dialog.getByRole('button', { name: 'Take them as days off' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /workdays/ }).waitFor();
    const calendar = await stack.admin.get<CalendarView>(`/projects/${projectId}/calendars/workdays`);
    expect(Object.values(calendar.excluded)).toContain('New Year');
    expect(calendar.weekend).toEqual([0, 6]);
  });

  it('are chosen for a schedule, whose preview then tells the days it rests', async () => {
    await page.goto(`/schedules/${scheduleId}`);
    await page.getByRole('combobox', { name: 'Calendar', exact: true }).press('Enter');
    await page.getByRole('option', { name: 'workdays' }).click();
    await page.getByText('rests: weekly rest day').first().waitFor();
    expect(browser.complaints).toEqual([]);
  });
});

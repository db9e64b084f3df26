import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { ApplyAnswer, Page as RestPage, RunView, ScheduleView } from '@medley/contracts';
import { Stack, untilNodes, waitFor } from '@medley/testing';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser } from './console-browser.js';
import { open, openingsOf } from './page-openings.js';

const consoleDirectory = fileURLToPath(new URL('../../../apps/console/dist', import.meta.url));

interface RouteOfConsole {
  name: string;
  path: string;
}

const serverEnv = { MEDLEY_CONSOLE_DIR: consoleDirectory, MEDLEY_SECRET_KEYS: randomBytes(32).toString('base64') };

let stack: Stack;
let browser: ConsoleBrowser;
let page: Page;
const parameters: Record<string, string> = {};

beforeAll(async () => {
  stack = await Stack.start({ redis: false, serverEnv });
  await stack.addAgent({ name: 'one', declaredSpeed: 1, labels: { zone: 'dc1' } });
  await untilNodes(stack.databaseUrl, ['one']);
  const tasks = { a: { run: 'echo hello' }, b: { needs: ['a'], run: 'exit 3' } };
  const schedules = { hourly: { cron: '0 * * * *', zone: 'Asia/Shanghai' } };
  const document = { medley: 1, project: 'default', workflow: 'greeting', description: 'Greets', schedules, tasks };
  const { workflowId } = await stack.admin.post<ApplyAnswer>('/workflows/apply', document);
  const { id } = await stack.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
  await waitFor(async () => (await stack.admin.get<RunView>(`/runs/${id}`)).state === 'failed', { describe: 'the run to fail' });
  await stack.admin.post('/tokens', { name: 'nightly export', scopes: ['read'] });
  const idOf = async (path: string) => (await stack.admin.get<RestPage<{ id: string }>>(path)).items[0]!.id;
  await stack.admin.post('/users', { name: 'mei' });
  await stack.admin.post('/groups', { name: 'engineers' });
  await fillRooms();
  const [schedule] = (await stack.admin.get<RestPage<ScheduleView>>('/schedules?sort=workflow')).items;
  Object.assign(parameters, { scheduleId: schedule!.id, workflowId, runId: id, rest: 'no/such/page', tab: 'members' });
  Object.assign(parameters, {
    nodeId: await idOf('/nodes'),
    poolId: await idOf('/pools'),
    userId: await idOf('/users?search=mei'),
    groupId: await idOf('/groups'),
    eventId: await idOf('/audit'),
  });
  browser = await ConsoleBrowser.open(stack.url);
  page = browser.page;
});

/** What rooms beside those of runs show: a limit, a variable, a secret, a calendar, what waits, a schedule that a webhook starts, and a backfill under way. */
async function fillRooms(): Promise<void> {
  const projectId = (await stack.admin.get<RestPage<{ id: string; name: string }>>('/projects')).items.find(
    ({ name }) => name === 'default',
  )!.id;
  await stack.admin.put(`/projects/${projectId}/variables/lake-url`, { value: 'https://lake.example', description: 'Raw tables' });
  await stack.admin.put(`/projects/${projectId}/secrets/lake-token`, { value: 'never-shown', description: '' });
  await stack.admin.put(`/projects/${projectId}/calendars/trading-days`, { weekend: [0, 6], version: null });
  parameters.limitId = (await stack.admin.post<{ id: string }>('/limits', { name: 'licence', slots: 2 })).id;
  const tasks = { ask: { kind: 'approval', by: ['role:operator'] }, later: { kind: 'wait-for', for: '2h' } };
  const document = {
    medley: 1,
    project: 'default',
    workflow: 'release',
    schedules: {
      hook: { webhook: {} },
      past: { cron: '0 6 * * *', enabled: false, calendar: 'trading-days' },
      waits: { upstream: [{ workflow: 'greeting' }, { self: true }] },
    },
    tasks,
    finally: { tidy: { kind: 'noop' } },
  };
  const { workflowId } = await stack.admin.post<ApplyAnswer>('/workflows/apply', document);
  parameters.waitingRunId = (await stack.admin.post<RunView>(`/workflows/${workflowId}/runs`, {})).id;
  await waitFor(async () => (await stack.admin.get<RestPage<object>>('/approvals')).items.length > 0, { describe: 'the approval to wait' });
  const [hook, past, waits] = (await stack.admin.get<RestPage<{ id: string }>>(`/schedules?workflowId=${workflowId}&sort=name`)).items;
  Object.assign(parameters, { hookId: hook!.id, pastId: past!.id, waitsId: waits!.id });
  await stack.admin.post(`/schedules/${past!.id}/backfills`, { from: '2026-03-02', to: '2026-03-03', fires: 'all', expected: 2 });
}

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** Views of a page that its address chooses. */
const views: Record<string, string[]> = {
  schedules: ['?view=calendar'],
  schedule: ['?tab=backfills', '?tab=calendar'],
  run: ['?view=gantt', '?view=list', '?view=history', '?task=a'],
  runs: ['?view=grid'],
  workflow: ['?tab=versions', '?tab=grid'],
};

/** The router's own list, so that a page that is added is looked at as well. */
async function routesOfConsole(): Promise<RouteOfConsole[]> {
  const routes = await page.evaluate(() => {
    const app = (
      document.querySelector('#app') as unknown as {
        __vue_app__: { config: { globalProperties: { $router: { getRoutes(): RouteOfConsole[] } } } };
      }
    ).__vue_app__;
    return app.config.globalProperties.$router.getRoutes().map(({ name, path }) => ({ name: String(name), path }));
  });
  return routes;
}

function addressOf({ name, path }: RouteOfConsole): string {
  return path.replace(/:(\w+)(\([^)]*\))?[*?+]?/g, (_, parameter: string) => {
    const value = parameters[parameter];
    if (value === undefined) throw new Error(`The page "${name}" needs a value for :${parameter}; add one to this test`);
    return value;
  });
}

/** What axe finds to be serious, with the elements, short enough to read; by all its rules or by these only. */
async function accessibilityFaults(rules?: string[]): Promise<string[]> {
  // Evaluated rather than added as a script: the page's policy lets no foreign script in.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (only) => {
    const options = { resultTypes: ['violations' as const], ...(only && { runOnly: only }) };
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, options);
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} – ${failureSummary?.split('\n')[1] ?? ''}`),
      );
  }, rules);
}

/** Texts and labels that are keys of texts: several words parted by dots, the first a known space of keys. */
async function untranslated(): Promise<string[]> {
  return page.evaluate(() => {
    const seen: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) seen.push(node.textContent ?? '');
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
      for (const name of ['aria-label', 'title', 'placeholder']) seen.push(element.getAttribute(name) ?? '');
    }
    return seen.map((text) => text.trim()).filter((text) => /^[a-z][A-Za-z]+(\.[A-Za-z][\w-]*)+$/.test(text));
  });
}

function questionsUnderWay(): Promise<number> {
  return page.evaluate(() => {
    type Provided = { VUE_QUERY_CLIENT?: { isFetching(): number } };
    const { _context } = (document.querySelector('#app') as unknown as { __vue_app__: { _context: { provides: Provided } } }).__vue_app__;
    return _context.provides.VUE_QUERY_CLIENT!.isFetching();
  });
}

async function settled(): Promise<void> {
  await page.locator('h1, .empty, form').first().waitFor();
  // What is asked again after a failure has its answer too: only then does the page show that it failed.
  await waitFor(async () => (await questionsUnderWay()) === 0, { describe: 'the page to have all its answers' });
  await page.locator('.skeleton-rows:visible').first().waitFor({ state: 'hidden' });
  // Fading and sliding parts are looked at when they have come to rest.
  await page.evaluate(() =>
    Promise.all(
      document.getAnimations().map((each) => (each.effect?.getComputedTiming().iterations === 1 ? each.finished.catch(() => null) : null)),
    ),
  );
}

/** Panels that stand where something could not be had. */
const failedPanels = async () => (await page.locator('.error-panel:visible').allTextContents()).map((text) => `failed: ${text.trim()}`);

async function faultsOfPage(rules?: string[]): Promise<string[]> {
  return [...(await accessibilityFaults(rules)), ...(await untranslated()).map((key) => `no text for ${key}`), ...(await failedPanels())];
}

/** Found once more at rest: a button that is just being enabled has neither of its two colours. */
async function lastingFaults(rules?: string[]): Promise<string[]> {
  await settled();
  return (await faultsOfPage(rules)).length === 0 ? [] : settled().then(() => faultsOfPage(rules));
}

async function dress(theme: 'light' | 'dark', language: 'en' | 'zh-CN'): Promise<void> {
  await page.evaluate((value) => localStorage.setItem('medley.preferences', value), JSON.stringify({ theme, language }));
}

/** The same while the page stands, as by its own switches; what is open stays open. */
async function redress(theme: 'light' | 'dark', language: 'en' | 'zh-CN'): Promise<void> {
  await page.evaluate(
    async ([nextTheme, nextLanguage]) => {
      type Preferences = { theme: string; chooseLanguage(language: string): Promise<void> };
      const { globalProperties } = (
        document.querySelector('#app') as unknown as {
          __vue_app__: { config: { globalProperties: { $pinia: { _s: Map<string, Preferences> } } } };
        }
      ).__vue_app__.config;
      const preferences = globalProperties.$pinia._s.get('preferences')!;
      preferences.theme = nextTheme!;
      await preferences.chooseLanguage(nextLanguage!);
    },
    [theme, language] as const,
  );
}

async function lookAt(theme: 'light' | 'dark', language: 'en' | 'zh-CN'): Promise<void> {
  await dress(theme, language);
  const faults: Record<string, string[]> = {};
  const pages = (await routesOfConsole()).flatMap((route) => ['', ...(views[route.name] ?? [])].map((view) => addressOf(route) + view));
  pages.push(`/schedules/${parameters.hookId}`, `/schedules/${parameters.hookId}?tab=rule`);
  pages.push(`/schedules/${parameters.waitsId}`, `/schedules/${parameters.waitsId}?tab=rule`);
  for (const address of pages) {
    await page.goto(address);
    const found = await lastingFaults();
    if (found.length > 0) faults[`${address} ${theme} ${language}`] = found;
  }
  expect(faults).toEqual({});
}

describe('every page of the console', () => {
  it('is without serious findings of axe before anyone has signed in', async () => {
    await page.goto('/login');
    await settled();
    expect(await accessibilityFaults()).toEqual([]);
    await browser.signIn(stack.bootstrap.adminName, stack.bootstrap.adminPassword);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect((await routesOfConsole()).length).toBeGreaterThan(9);
  });

  it('is so in the light and in English, all texts translated', () => lookAt('light', 'en'));

  it('is so in the dark and in Chinese', () => lookAt('dark', 'zh-CN'));

  it('is so with each of its dialogs, drawers and menus open, in the light and in English, in the dark and in Chinese', async () => {
    const faults: Record<string, string[]> = {};
    const look = async (name: string, rules?: string[]) => {
      const found = await lastingFaults(rules);
      if (found.length > 0) faults[name] = found;
    };
    for (const [name, opening] of Object.entries(openingsOf(parameters))) {
      await dress('light', 'en');
      try {
        await open(page, opening);
        await look(name);
        await redress('dark', 'zh-CN');
        // Colours and texts are all that has changed.
        await look(`${name}, dark, in Chinese`, ['color-contrast']);
      } catch (error) {
        faults[name] = [(error as Error).message.split('\n')[0]!];
      }
    }
    expect(faults).toEqual({});
  });

  it('makes no complaint in the console of the browser, and no answer of the server failed', () => {
    expect(browser.complaints).toEqual([]);
  });
});

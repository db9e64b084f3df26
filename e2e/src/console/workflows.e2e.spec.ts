import { fileURLToPath } from 'node:url';
import type {
  ApplyAnswer,
  CreatedUser,
  Page as RestPage,
  RunListItem,
  RunView,
  ScheduleView,
  WorkflowListItem,
  WorkflowView,
} from '@medley/contracts';
import { Stack, signIn, waitFor } from '@medley/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser } from './console-browser.js';

const consoleDirectory = fileURLToPath(new URL('../../../apps/console/dist', import.meta.url));

const text = `medley: 1
project: default
workflow: drawn
parameters:
  limit: { type: integer, default: 3 }
schedules:
  nightly: { cron: "30 2 * * *", zone: Asia/Shanghai }
tasks:
  # fetches
  fetch:
    run: echo fetch   # quick
`;

let stack: Stack;
let browser: ConsoleBrowser;
let page: Page;
let workflowId: string;

beforeAll(async () => {
  stack = await Stack.start({ serverEnv: { MEDLEY_CONSOLE_DIR: consoleDirectory } });
  workflowId = ((await stack.admin.apply(text)) as ApplyAnswer).workflowId!;
  await stack.admin.post('/limits', { name: 'licence', slots: 2 });
  browser = await ConsoleBrowser.open(stack.url);
  page = browser.page;
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const stored = () => stack.admin.get<WorkflowView>(`/workflows/${workflowId}`);
const tasksOf = (view: WorkflowView) => view.version.definition.tasks as Record<string, Record<string, unknown>>;
const node = (key: string) => page.locator('.flow-task', { hasText: key });
/** Its middle on the screen. */
async function placeOf(key: string): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await node(key).boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
}
const form = () => page.locator('.task-form');
const yamlShows = (part: string) => page.locator('.cm-content').getByText(part).first().waitFor({ state: 'attached' });

async function save(): Promise<void> {
  await page.getByRole('button', { name: 'Review and save' }).click();
  const dialog = page.getByRole('dialog', { name: 'What will change' });
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
}

/** Steps in their order: each goes on where the one before ended. */
describe('the workshop of a workflow', () => {
  it('adds tasks from the palette, each behind the selected one, and writes them into the YAML', async () => {
    await page.goto(`/workflows/${workflowId}`);
    await browser.signIn(stack.bootstrap.adminName, stack.bootstrap.adminPassword);
    await node('fetch').click();
    await page.getByRole('button', { name: '+ Python' }).click();
    await form().getByRole('heading', { name: 'Task python' }).waitFor();
    await page.getByRole('button', { name: '+ No operation' }).click();
    await form().getByRole('heading', { name: 'Task noop' }).waitFor();
    expect(await page.locator('.vue-flow__edge').count()).toBe(2);
    await form().getByRole('button', { name: 'Close', exact: true }).click();
    await yamlShows('needs: [fetch]');
  });

  it('edits a task in the form, tells a fault beside its field, and keeps the comments of the text', async () => {
    await node('fetch').dblclick();
    const memory = form().getByLabel('Memory');
    await memory.fill('4');
    await form().getByText('`4` has no unit').waitFor();
    await memory.fill('4MiB');
    await form().getByText('`4` has no unit').waitFor({ state: 'hidden' });
    await form().getByRole('button', { name: 'Add a limit' }).click();
    await form().getByRole('combobox', { name: 'Limit 1' }).click();
    await page.getByRole('option', { name: /^licence/ }).click();
    await form().getByLabel('Slots of licence').fill('2');
    await form()
      .getByLabel(/^Mutex/)
      .fill('warehouse');
    await form().getByLabel('Script').fill('echo changed');
    await form().getByLabel('Name', { exact: true }).fill('fetch-all');
    await form().getByLabel('Name', { exact: true }).press('Enter');
    await form().getByRole('heading', { name: 'Task fetch-all' }).waitFor();
    await form().getByRole('button', { name: 'Close', exact: true }).click();
    await yamlShows('run: echo changed   # quick');
    await save();
    const view = await stored();
    expect(view.latestVersion).toBe(2);
    expect(tasksOf(view)).toEqual({
      'fetch-all': { run: 'echo changed', resources: { memory: '4MiB' }, limits: { licence: 2 }, mutex: 'warehouse' },
      python: { needs: ['fetch-all'], python: 'print("hello")' },
      noop: { kind: 'noop', needs: ['python'] },
    });
    expect(view.version.yaml).toContain('  # fetches\n  fetch-all:\n    run: echo changed   # quick\n');
  });

  it('connects tasks by their handles, refuses circles, and takes all of it back step by step', async () => {
    const edges = page.locator('.vue-flow__edge');
    const drag = async (from: string, to: string) => {
      await node(from).locator('.vue-flow__handle.source').hover();
      await page.mouse.down();
      await node(to).locator('.vue-flow__handle.target').hover();
      await page.mouse.up();
    };
    await drag('fetch-all', 'noop');
    await waitFor(async () => (await edges.count()) === 3, { describe: 'the third edge' });
    await yamlShows('needs: [python, fetch-all]');
    await drag('noop', 'fetch-all');
    await page.getByText('fetch-all cannot need noop').waitFor();
    await page.getByRole('group', { name: /^Graph/ }).focus();
    await page.keyboard.press('ControlOrMeta+z');
    await waitFor(async () => (await edges.count()) === 2, { describe: 'the edge to be undone' });
    await page.keyboard.press('ControlOrMeta+Shift+z');
    await waitFor(async () => (await edges.count()) === 3, { describe: 'the edge to be redone' });
  });

  it('dims what a search does not find, moves a task by hand, lays all out anew, and goes about by the map', async () => {
    const { x: atX, y: atY } = await placeOf('noop');
    await page.getByLabel('Find a task').fill('PYTH');
    await page.getByText('1 found').waitFor();
    expect(await page.locator('.flow-task.dimmed .key').allTextContents()).toEqual(['fetch-all', 'noop']);
    await page.getByLabel('Find a task').fill('');
    await waitFor(async () => (await page.locator('.flow-task.dimmed').count()) === 0, { describe: 'all tasks to be in the light' });

    await node('noop').hover();
    await page.mouse.down();
    await page.mouse.move(atX + 40, atY + 150, { steps: 5 });
    await page.mouse.up();
    const isMoved = async () => (await placeOf('noop')).y - (await placeOf('fetch-all')).y > 100;
    expect(await isMoved()).toBe(true);
    await page.getByRole('button', { name: 'Lay out anew' }).click();
    await waitFor(async () => !(await isMoved()), { describe: 'the task to be back in its place' });

    const map = page.locator('.minimap');
    expect(await map.count()).toBe(0);
    for (let step = 0; step < 6; step += 1) await page.getByRole('button', { name: 'Zoom in' }).click();
    const pane = (await page.getByRole('group', { name: /^Graph/ }).boundingBox())!;
    const isInMiddle = async (key: string) => Math.abs((await placeOf(key)).x - pane.x - pane.width / 2) < pane.width / 4;
    const { width, height } = (await map.boundingBox())!;
    await map.click({ position: { x: width - 12, y: height / 2 } });
    await waitFor(() => isInMiddle('noop'), { describe: 'the last task to be in the middle' });
    await map.click({ position: { x: 12, y: height / 2 } });
    await waitFor(() => isInMiddle('fetch-all'), { describe: 'the first task to be in the middle' });
    await page.getByRole('button', { name: 'Fit to screen' }).click();
    await map.waitFor({ state: 'detached' });
  });

  it('is walked through by arrows; Enter opens a task and Delete removes one with every need of it', async () => {
    await node('fetch-all').click();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await waitFor(async () => (await page.locator('.flow-task.selected').count()) === 1, { describe: 'one selected task' });
    await node('python').click();
    await page.keyboard.press('Enter');
    await form().getByRole('heading', { name: 'Task python' }).waitFor();
    await form().getByRole('button', { name: 'Close', exact: true }).click();
    await node('python').click();
    await page.keyboard.press('Delete');
    await node('python').waitFor({ state: 'detached' });
    await save();
    expect(tasksOf(await stored())).toEqual({
      'fetch-all': { run: 'echo changed', resources: { memory: '4MiB' }, limits: { licence: 2 }, mutex: 'warehouse' },
      noop: { kind: 'noop', needs: ['fetch-all'] },
    });
  });

  it('shows on the canvas what is typed, and does not let it be drawn on while the text has faults', async () => {
    const { yaml } = (await stored()).version;
    await browser.writeYaml(`${yaml}  typed: { runn: x }\n`);
    await page.getByText(/^Read only: mend the .*errors? in the text first/).waitFor();
    expect(await page.getByRole('button', { name: '+ Shell' }).isDisabled()).toBe(true);
    await browser.writeYaml(`${yaml}  typed: { needs: [noop], run: x }\n`);
    await node('typed').waitFor();
    expect(await page.getByRole('button', { name: '+ Shell' }).isDisabled()).toBe(false);
  });

  it('tells that somebody saved a newer version, and goes on upon it', async () => {
    await stack.admin.apply(text.replace('echo fetch', 'echo from-rest'));
    await page.getByText('Version 4 was saved meanwhile by admin.').waitFor();
    await page.getByRole('button', { name: 'Take it over' }).click();
    await yamlShows('echo from-rest');
    await node('fetch').waitFor();
  });

  it('compares any two versions and rolls back to one, which becomes a new version', async () => {
    await page.goto(`/workflows/${workflowId}?tab=versions&version=2&against=4`);
    const diff = page.getByRole('region', { name: 'Difference of the two texts' });
    await diff.getByText('echo from-rest').waitFor();
    await page.getByRole('button', { name: 'Roll back to this' }).click();
    const dialog = page.getByRole('dialog', { name: 'What will change' });
    await dialog.getByText('gets version 5').waitFor();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    const view = await waitFor(async () => ((await stored()).latestVersion === 5 ? stored() : undefined), { describe: 'version 5' });
    expect(Object.keys(tasksOf(view)).sort()).toEqual(['fetch-all', 'noop', 'python']);
  });

  it('runs a particular version with checked parameters, and shows the request as curl', async () => {
    await page.goto(`/workflows/${workflowId}?tab=versions&version=1`);
    await page.getByRole('button', { name: 'Run this version' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run drawn' });
    await dialog.getByRole('spinbutton', { name: 'limit' }).fill('7');
    await dialog.getByRole('spinbutton', { name: 'limit' }).press('Tab');
    await dialog.getByText('As a curl command').first().click();
    await dialog.getByText('"parameters":{"limit":7},"version":1').waitFor();
    await dialog.getByRole('button', { name: 'Start run' }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    const { items } = await stack.admin.get<RestPage<RunListItem>>(`/runs?workflowId=${workflowId}`);
    expect(await stack.admin.get<RunView>(`/runs/${items[0]!.id}`)).toMatchObject({ workflowVersion: 1, parameters: { limit: 7 } });
  });

  it('is found, sorted and switched off in the list', async () => {
    await stack.admin.apply(text.replace('drawn', 'another'));
    await page.goto('/workflows?sort=-name');
    const names = page.locator('tbody .name');
    await names.first().waitFor();
    expect(await names.allTextContents()).toEqual(['drawn', 'another']);
    await page.getByRole('button', { name: /^Name/ }).click();
    await waitFor(async () => (await names.first().textContent()) === 'another', { describe: 'the other order' });
    await page.getByRole('row', { name: /drawn/ }).locator('.el-switch').click();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('one schedule of drawn disabled').waitFor();
    const { items } = await stack.admin.get<RestPage<ScheduleView>>(`/schedules?workflowId=${workflowId}`);
    expect(items).toMatchObject([{ name: 'nightly', enabled: false }]);
    const list = await stack.admin.get<RestPage<WorkflowListItem>>('/workflows?search=another');
    expect(list.items).toMatchObject([{ enabledScheduleCount: 1 }]);
  });

  it('lets a viewer look and a developer write, says why not, and refuses by REST what the screen disables', async () => {
    const password = 'a-long-password-of-nobody';
    const { projectId } = await stored();
    const roleIn = (role: string, principalId: string) =>
      stack.admin.put(`/projects/${projectId}/members`, { kind: 'user', principalId, role });
    const user = await stack.admin.post<CreatedUser>('/users', { name: 'vera', password, mustChangePassword: false });
    await roleIn('viewer', user.id);
    const other = await ConsoleBrowser.open(stack.url);
    try {
      await other.page.goto(`/workflows/${workflowId}`);
      await other.signIn('vera', password);
      await other.page.getByText('This needs the role developer in the project; yours is viewer.').waitFor();
      for (const name of ['Run now', 'Review and save', '+ Shell'])
        expect(await other.page.getByRole('button', { name }).isDisabled()).toBe(true);
      expect(await other.page.locator('.cm-content').getAttribute('aria-readonly')).toBe('true');
      const vera = await signIn(stack.url, 'vera', password);
      expect(
        (await vera.request('POST', `/workflows/${workflowId}/runs`, { body: '{}', headers: { 'content-type': 'application/json' } }))
          .status,
      ).toBe(403);
      await roleIn('developer', user.id);
      await other.page.reload();
      await other.page.locator('.flow-task').first().waitFor();
      expect(await other.page.getByRole('button', { name: '+ Shell' }).isDisabled()).toBe(false);
      expect(other.complaints).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it('met no error of the page on the way', () => {
    expect(browser.complaints).toEqual([]);
  });
});

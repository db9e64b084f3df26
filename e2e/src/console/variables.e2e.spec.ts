import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { ApplyAnswer, AuditEvent, Page as RestPage, RunTasks, RunView, SecretView, VariableView } from '@medley/contracts';
import { Stack, untilNodes, waitFor } from '@medley/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser } from './console-browser.js';

const consoleDirectory = fileURLToPath(new URL('../../../apps/console/dist', import.meta.url));

const serverEnv = { MEDLEY_CONSOLE_DIR: consoleDirectory, MEDLEY_SECRET_KEYS: randomBytes(32).toString('base64') };

let stack: Stack;
let browser: ConsoleBrowser;
let page: Page;

beforeAll(async () => {
  stack = await Stack.start({ redis: false, serverEnv });
  await stack.addAgent({ name: 'one', declaredSpeed: 1 });
  await untilNodes(stack.databaseUrl, ['one']);
  browser = await ConsoleBrowser.open(stack.url);
  page = browser.page;
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** Steps in their order: each goes on where the one before ended. */
describe('values that tasks share', () => {
  it('are set in the room of the variables', async () => {
    await page.goto('/variables');
    await browser.signIn(stack.bootstrap.adminName, stack.bootstrap.adminPassword);
    await page.getByRole('button', { name: 'Set a variable' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Set a variable' });
    await dialog.getByLabel('Name').fill('lake-url');
    await dialog.getByLabel('Value').fill('https://lake.example');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /lake-url https:\/\/lake\.example/ }).waitFor();
    const [project] = (await stack.admin.get<RestPage<{ id: string }>>('/projects')).items;
    const { items } = await stack.admin.get<RestPage<VariableView>>(`/projects/${project!.id}/variables`);
    expect(items).toMatchObject([{ name: 'lake-url', value: 'https://lake.example' }]);
  });

  it('reach a task, and what it gives to the next is shown with it', async () => {
    const env = { LAKE: `\${{ variables.lake-url }}` };
    const tasks = {
      check: { run: 'echo rows=120000 >> "$MEDLEY_OUTPUT"; echo from="$LAKE" >> "$MEDLEY_OUTPUT"', env },
      train: { needs: ['check'], run: 'echo "more=$MORE" >> "$MEDLEY_OUTPUT"', env: { MORE: `\${{ tasks.check.outputs.rows + 1 }}` } },
    };
    const { workflowId } = await stack.admin.post<ApplyAnswer>('/workflows/apply', {
      medley: 1,
      project: 'default',
      workflow: 'churn',
      tasks,
    });
    const { id } = await stack.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
    await waitFor(async () => (await stack.admin.get<RunView>(`/runs/${id}`)).state === 'succeeded', { describe: 'the run to succeed' });
    const train = (await stack.admin.get<RunTasks>(`/runs/${id}/tasks`)).items.find(({ key }) => key === 'train')!;
    expect(await stack.admin.get(`/task-runs/${train.id}`)).toMatchObject({ outputs: { more: 120001 } });
    await page.goto(`/runs/${id}?task=check&pane=outputs`);
    await page.getByRole('row', { name: 'from https://lake.example' }).waitFor();
    await page.getByRole('row', { name: 'rows 120000' }).waitFor();
  });

  it('are removed after it is told which workflows name them', async () => {
    await page.goto('/variables');
    await page.getByRole('button', { name: 'Actions for lake-url' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove the variable lake-url?' });
    await dialog.getByRole('link', { name: 'churn' }).waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The project has no variables yet').waitFor();
  });

  it('and secrets are set, set anew and removed in their room, and no answer ever holds their value', async () => {
    const [project] = (await stack.admin.get<RestPage<{ id: string }>>('/projects')).items;
    const listed = () => stack.admin.get<RestPage<SecretView>>(`/projects/${project!.id}/secrets`);
    const [first, second] = ['first-of-its-values', 'second-of-its-values'];
    const answers: string[] = [];
    page.on(
      'response',
      (response) =>
        void (
          response.url().includes('/api/v1/') &&
          response
            .text()
            .then((text) => answers.push(text))
            .catch(() => {})
        ),
    );
    await page.goto('/variables');
    await page.getByRole('link', { name: 'Secrets stand in a list of their own.' }).click();
    await page.getByRole('button', { name: 'Set a secret' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Set a secret' });
    await dialog.getByLabel('Name').fill('lake-token');
    await dialog.getByLabel('Value').fill('short');
    await dialog.getByText(/^At least 6 characters/).waitFor();
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Value').fill(first);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /lake-token/ }).waitFor();
    const [set] = (await listed()).items;
    expect(set).toMatchObject({ name: 'lake-token', description: '' });

    await page.getByRole('button', { name: 'Actions for lake-token' }).click();
    await page.getByRole('menuitem', { name: 'Set anew' }).click();
    const again = page.getByRole('dialog', { name: 'Secret lake-token' });
    expect(await again.getByLabel('Value').inputValue()).toBe('');
    await again.getByLabel('Value').fill(second);
    await again.getByLabel('Description').fill('rotated');
    await again.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /lake-token rotated/ }).waitFor();
    const [changed] = (await listed()).items;
    expect(Date.parse(changed!.updatedAt)).toBeGreaterThan(Date.parse(set!.updatedAt));

    await page.getByRole('button', { name: 'Actions for lake-token' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    const removal = page.getByRole('dialog', { name: 'Remove the secret lake-token?' });
    await removal.getByText('No workflow names it in its present version.').waitFor();
    await removal.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The project has no secrets yet').waitFor();
    expect((await listed()).items).toEqual([]);

    const audit = (await stack.admin.get<RestPage<AuditEvent>>('/audit?entityType=secret')).items;
    expect(audit.map(({ action }) => action)).toEqual(['removeSecret', 'putSecret', 'putSecret']);
    const told = [JSON.stringify([set, changed, audit]), ...answers].join();
    expect(told).toContain('lake-token');
    expect([first, second].filter((value) => told.includes(value!))).toEqual([]);
    expect(browser.complaints).toEqual([]);
  });
});

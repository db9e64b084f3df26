import { fileURLToPath } from 'node:url';
import type {
  ApiToken,
  ApplyAnswer,
  AuditEvent,
  CreatedUser,
  GroupView,
  Me,
  ProjectMember,
  ProjectView,
  Page as RestPage,
  RunView,
  UserDetail,
} from '@medley/contracts';
import { aWorkflow, RestFailure, Stack, signIn, waitFor, withToken } from '@medley/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser } from './console-browser.js';

const consoleDirectory = fileURLToPath(new URL('../../../apps/console/dist', import.meta.url));
const PASSWORD = 'correct horse battery';
const NEW_PASSWORD = 'a bicycle in the rain';
const DAY_MS = 86_400_000;

let stack: Stack;
let browser: ConsoleBrowser;
let page: Page;
let project: ProjectView;
let workflowId: string;
let run: RunView;

beforeAll(async () => {
  stack = await Stack.start({ serverEnv: { MEDLEY_CONSOLE_DIR: consoleDirectory } });
  browser = await ConsoleBrowser.open(stack.url);
  page = browser.page;
  project = await stack.admin.post<ProjectView>('/projects', { name: 'alpha' });
  const file = aWorkflow({ hello: { run: 'true' } }, { project: 'alpha', schedules: { nightly: { cron: '0 3 * * *', zone: 'UTC' } } });
  workflowId = (await stack.admin.post<ApplyAnswer>('/workflows/apply', file)).workflowId!;
  run = await stack.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** A user with a password of its own and, unless it is the platform's, a role in the project. */
async function someone(name: string, role?: string): Promise<string> {
  const { id } = await stack.admin.post<CreatedUser>('/users', { name, password: PASSWORD, mustChangePassword: false, isAdmin: !role });
  if (role) await put(`/projects/${project.id}/members`, { kind: 'user', principalId: id, role });
  return id;
}
const put = (path: string, body: object) =>
  stack.admin.request('PUT', path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });

/** What the page's own session is answered with. */
const statusOf = (target: Page, method: string, path: string, body?: object) =>
  target.evaluate(
    async ([verb, address, json]) => {
      const headers: Record<string, string> = json === undefined ? {} : { 'content-type': 'application/json' };
      return (await fetch(`/api/v1${address}`, { method: verb!, body: json, headers })).status;
    },
    [method, path, body && JSON.stringify(body)] as const,
  );

async function enter(target: ConsoleBrowser, name: string, password: string, to = '/'): Promise<void> {
  await target.context.clearCookies();
  await target.page.goto(to);
  await target.signIn(name, password);
  await target.page.getByRole('button', { name: `Account: ${name}` }).waitFor();
}

/** Whether the page lets one do something: what a role may not is hidden, or cannot be pressed and says why. */
async function offers(name: string): Promise<boolean> {
  const button = page.getByRole('button', { name }).first();
  return (await button.isVisible()) && button.isEnabled();
}
const rooms = async () =>
  (await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link').allTextContents()).map((text) => text.trim());

interface Part {
  role: string | undefined;
  mayRun: boolean;
  mayDefine: boolean;
  mayKeepRoles: boolean;
  mayKeepPlatform: boolean;
}
const parts: Record<string, Part> = {
  viewer: { role: 'viewer', mayRun: false, mayDefine: false, mayKeepRoles: false, mayKeepPlatform: false },
  operator: { role: 'operator', mayRun: true, mayDefine: false, mayKeepRoles: false, mayKeepPlatform: false },
  developer: { role: 'developer', mayRun: true, mayDefine: true, mayKeepRoles: false, mayKeepPlatform: false },
  'project admin': { role: 'admin', mayRun: true, mayDefine: true, mayKeepRoles: true, mayKeepPlatform: false },
  'platform admin': { role: undefined, mayRun: true, mayDefine: true, mayKeepRoles: true, mayKeepPlatform: true },
};

describe.each(Object.entries(parts))('the console of a %s', (part, { role, mayRun, mayDefine, mayKeepRoles, mayKeepPlatform }) => {
  const name = part.replace(' ', '-');
  const ok = (allowed: boolean, status: number) => (allowed ? status : 403);

  it('has the rooms of that part, and the server refuses the others', async () => {
    await someone(name, role);
    await enter(browser, name, PASSWORD);
    const found = await rooms();
    expect(found).toContain('Workflows');
    expect({ access: found.includes('Access'), audit: found.includes('Audit') }).toEqual({ access: mayKeepRoles, audit: mayKeepRoles });
    expect(await statusOf(page, 'GET', '/users')).toBe(ok(mayKeepPlatform, 200));
    expect(await statusOf(page, 'GET', '/groups')).toBe(ok(mayKeepPlatform, 200));
    expect(await statusOf(page, 'POST', '/join-tokens', {})).toBe(ok(mayKeepPlatform, 201));
  });

  it('offers to run only what may be run', async () => {
    await page.goto(`/workflows/${workflowId}`);
    await page.getByRole('heading', { name: 'test' }).waitFor();
    expect(await offers('Run now')).toBe(mayRun);
    await page.goto(`/runs/${run.id}`);
    await page.getByRole('heading', { name: 'test' }).waitFor();
    expect(await offers('Cancel run')).toBe(mayRun);
    expect(await statusOf(page, 'POST', `/workflows/${workflowId}/runs`, {})).toBe(ok(mayRun, 201));
    await page.goto('/schedules');
    const toggle = page.getByRole('switch').first();
    await toggle.waitFor({ state: 'attached' });
    expect(await toggle.isEnabled()).toBe(mayRun);
  });

  it('offers to define only who may define', async () => {
    await page.goto('/workflows');
    await page.getByRole('link', { name: 'test' }).first().waitFor();
    expect(await offers('New workflow')).toBe(mayDefine);
    const file = aWorkflow({ hello: { run: 'true' } }, { project: 'alpha', workflow: `of-${name}` });
    expect(await statusOf(page, 'POST', '/workflows/apply', file)).toBe(ok(mayDefine, 200));
  });

  it('offers roles and what belongs to the platform only to those who keep them', async () => {
    await page.goto('/access/members');
    await page.getByRole('heading', { name: 'What each role may do' }).waitFor();
    await page
      .getByRole('row', { name: /admin|operator|viewer|developer/i })
      .first()
      .waitFor();
    expect(await offers('Give a role')).toBe(mayKeepRoles);
    expect(await page.getByRole('tab', { name: 'Users' }).isVisible()).toBe(mayKeepPlatform);
    expect(await statusOf(page, 'PUT', `/projects/${project.id}/members`, {})).toBe(mayKeepRoles ? 400 : 403);
    await page.goto('/pools');
    await page.getByRole('row', { name: /default/ }).waitFor();
    expect(await offers('New pool')).toBe(mayKeepPlatform);
    expect(await statusOf(page, 'POST', '/pools', { name: `of-${name}` })).toBe(ok(mayKeepPlatform, 201));
  });
});

/** Steps in their order: each goes on where the one before ended. */
describe('an administrator', () => {
  let created: string;

  it('creates a user, who has to change the password shown once before anything else', async () => {
    await enter(browser, stack.bootstrap.adminName, stack.bootstrap.adminPassword, '/access/users');
    await page.getByRole('button', { name: 'New user' }).click();
    const dialog = page.getByRole('dialog', { name: 'New user' });
    await dialog.getByLabel('Name', { exact: true }).fill('nora');
    await dialog.getByLabel('Display name').fill('Nora N.');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    const password = (await dialog.getByLabel('One-time password').textContent())!.trim();
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    const row = page.getByRole('row', { name: /nora Nora N\..*Has to change the password/ });
    await row.waitFor();
    created = (await stack.admin.get<RestPage<UserDetail>>('/users?search=nora')).items[0]!.id;

    const other = await ConsoleBrowser.open(stack.url);
    try {
      await other.page.goto('/runs');
      await other.signIn('nora', password);
      await other.page.getByRole('heading', { name: 'Set a password of your own' }).waitFor();
      await other.page.goto('/workflows');
      await other.page.getByRole('heading', { name: 'Set a password of your own' }).waitFor();
      expect(await statusOf(other.page, 'GET', '/runs')).toBe(403);
      await other.page.getByLabel('Current password').fill(password);
      await other.page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
      await other.page.getByLabel('New password once more').fill('something else');
      await other.page.getByText('The two are not the same').waitFor();
      await other.page.getByLabel('New password once more').fill(NEW_PASSWORD);
      await other.page.getByRole('button', { name: 'Change the password' }).click();
      await other.page.waitForURL(`${stack.url}/workflows`);
      expect(await statusOf(other.page, 'GET', '/runs')).toBe(200);
      expect(other.complaints).toEqual([]);
    } finally {
      await other.close();
    }
    expect(await (await signIn(stack.url, 'nora', NEW_PASSWORD)).get<Me>('/me')).toMatchObject({ mustChangePassword: false });
  });

  it('gives a role on the screen, which then holds, and changes it', async () => {
    await page.goto(`/access/members?project=${project.id}`);
    await page.getByRole('button', { name: 'Give a role' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Give a role' });
    await dialog.getByRole('combobox', { name: 'User or group' }).fill('nora');
    await page.getByRole('option', { name: /nora/ }).click();
    await dialog.locator('.el-radio', { hasText: 'Operator' }).click();
    await dialog.getByRole('button', { name: 'Give the role' }).click();
    await page.getByRole('row', { name: /^nora/ }).waitFor();
    const mine = async () => (await (await signIn(stack.url, 'nora', NEW_PASSWORD)).get<Me>('/me')).projects;
    expect(await mine()).toMatchObject([{ name: 'alpha', role: 'operator' }]);
    await page.getByRole('row', { name: /^nora/ }).locator('.el-select').click();
    await page.getByRole('option', { name: 'Developer' }).click();
    await page.getByText('nora now is: Developer').waitFor();
    expect(await mine()).toMatchObject([{ name: 'alpha', role: 'developer' }]);
  });

  it('reads in the audit what was changed on the screen, from what to what', async () => {
    await page.goto('/audit?entity=member&actor=admin');
    await page.getByRole('button', { name: 'Give a role' }).first().click();
    const drawer = page.getByRole('dialog', { name: 'Give a role' });
    await drawer.getByRole('row', { name: /role operator developer/ }).waitFor();
    expect(page.url()).toContain('event=');
    const [event] = (await stack.admin.get<RestPage<AuditEvent>>('/audit?action=putProjectMember&limit=1')).items;
    expect(event).toMatchObject({ entityName: 'nora', outcome: 'succeeded', project: 'alpha', fields: ['role'] });
    await page.reload();
    await drawer.getByRole('row', { name: /role operator developer/ }).waitFor();
    const href = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
    const csv = await page.evaluate(async (address) => (await fetch(address!)).text(), href);
    expect(csv.split('\r\n')[1]).toContain('putProjectMember');
    expect(csv).not.toContain('createUser');
  });

  it('makes a group with members and says what its removal hits', async () => {
    await page.goto('/access/groups');
    await page.getByRole('button', { name: 'New group' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New group' });
    await dialog.getByLabel('Name', { exact: true }).fill('night shift');
    await dialog.getByLabel('External name').fill('cn=night,ou=groups');
    await dialog.getByRole('button', { name: 'Create group' }).click();
    await page.getByRole('button', { name: 'night shift' }).click();
    const drawer = page.getByRole('dialog', { name: 'night shift' });
    await drawer.getByRole('combobox', { name: 'Find a user' }).fill('nora');
    await page.getByRole('option', { name: /nora/ }).click();
    await drawer.getByRole('button', { name: 'Add' }).click();
    await drawer.getByRole('row', { name: /nora.*by hand/ }).waitFor();
    const [group] = (await stack.admin.get<RestPage<GroupView>>('/groups')).items;
    expect(group).toMatchObject({ name: 'night shift', externalName: 'cn=night,ou=groups', memberCount: 1 });
    await drawer.getByRole('button', { name: 'Remove', exact: true }).first().click();
    const question = page.getByRole('dialog', { name: 'Remove night shift?' });
    await question.getByText('Its 1 members lose what it gives them').waitFor();
    await question.getByRole('button', { name: 'Remove' }).click();
    await question.waitFor({ state: 'hidden' });
    await waitFor(async () => (await stack.admin.get<RestPage<GroupView>>('/groups')).items.length === 0);
  });

  it('ends a session, and its browser is signed out within seconds', async () => {
    const other = await ConsoleBrowser.open(stack.url);
    try {
      await enter(other, 'nora', NEW_PASSWORD, '/workflows');
      await page.goto(`/access/sessions?user=${created}`);
      const rows = page.getByRole('row', { name: /^nora/ });
      await rows.first().waitFor();
      while ((await rows.count()) > 0) {
        const before = await rows.count();
        await rows.first().getByRole('button', { name: 'End' }).click();
        await waitFor(async () => (await rows.count()) < before);
      }
      const endedAt = Date.now();
      await other.page.waitForURL(/\/login\?to=/);
      expect(Date.now() - endedAt).toBeLessThan(10_000);
    } finally {
      await other.close();
    }
  });

  it('disables a user after being told what that hits, and removes it', async () => {
    await page.goto(`/access/users?user=${created}`);
    const drawer = page.getByRole('dialog', { name: 'nora', exact: true });
    await drawer.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('dialog', { name: 'Disable nora?' }).getByRole('button', { name: 'Disable' }).click();
    await drawer.getByRole('button', { name: 'Enable' }).waitFor();
    await expect(signIn(stack.url, 'nora', NEW_PASSWORD)).rejects.toThrow(RestFailure);
    await drawer.getByRole('button', { name: 'Remove' }).click();
    const question = page.getByRole('dialog', { name: 'Remove nora?' });
    await question.getByText('1 roles').waitFor();
    await question.getByRole('button', { name: 'Remove' }).click();
    await drawer.waitFor({ state: 'hidden' });
    expect((await stack.admin.get<RestPage<UserDetail>>('/users?search=nora')).items).toEqual([]);
    const members = (await stack.admin.get<RestPage<ProjectMember>>(`/projects/${project.id}/members`)).items;
    expect(members.filter(({ principal }) => principal.name === 'nora')).toEqual([]);
  });

  it('makes a token that may read for a week, which does just that until it is revoked', async () => {
    await page.goto('/tokens');
    await page.getByRole('button', { name: 'New API token' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New API token' });
    await dialog.getByLabel('Name').fill('nightly export');
    expect(await dialog.getByRole('checkbox', { checked: true }).count()).toBe(1);
    expect(await dialog.getByRole('checkbox', { name: /^read/ }).isChecked()).toBe(true);
    await dialog.getByRole('combobox', { name: 'Expires' }).click({ force: true });
    await page.getByRole('option', { name: 'in 7 days' }).click();
    await dialog.getByRole('button', { name: 'Create' }).click();
    const script = withToken(stack.url, (await dialog.getByLabel('API token', { exact: true }).textContent())!.trim());
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();

    expect((await script.get<RestPage<RunView>>('/runs')).items).not.toEqual([]);
    await expect(script.post(`/workflows/${workflowId}/runs`, {})).rejects.toMatchObject({ status: 403 } satisfies Partial<RestFailure>);
    const [stored] = (await stack.admin.get<RestPage<ApiToken>>('/tokens')).items;
    expect(stored).toMatchObject({ name: 'nightly export', scopes: ['read'], lastUsedAt: expect.any(String), revokedAt: null });
    expect(Date.parse(stored!.expiresAt!) - Date.parse(stored!.createdAt)).toBe(7 * DAY_MS);

    const row = page.getByRole('row', { name: /nightly export/ });
    await row.locator(`time[datetime="${stored!.expiresAt}"]`).waitFor();
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Programs that use “nightly export” are refused from now on.').waitFor();
    await page.getByRole('dialog', { name: 'Revoke this token?' }).getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('revoked', { exact: true }).waitFor();
    await expect(script.get('/runs')).rejects.toMatchObject({ status: 401 } satisfies Partial<RestFailure>);
  });

  it('unlocks a user whom failed sign-ins have locked out, who then comes in', async () => {
    const id = await someone('otto', 'viewer');
    const refusal = (password: string) =>
      signIn(stack.url, 'otto', password).then(
        () => 200,
        (error: RestFailure) => error.status,
      );
    await waitFor(async () => (await refusal('a guess')) === 429, { describe: 'the name to be locked' });
    expect(await refusal(PASSWORD)).toBe(429);
    await page.goto(`/access/users?user=${id}`);
    const drawer = page.getByRole('dialog', { name: 'otto', exact: true });
    await drawer.getByText('Locked after failed sign-ins').waitFor();
    await drawer.getByRole('button', { name: 'Unlock' }).click();
    await drawer.getByText('Enabled', { exact: true }).waitFor();
    expect((await stack.admin.get<UserDetail>(`/users/${id}`)).lockedUntil).toBeNull();
    await enter(browser, 'otto', PASSWORD);
  });

  it('met no error of the page on the way', () => {
    expect(browser.complaints).toEqual([]);
  });
});

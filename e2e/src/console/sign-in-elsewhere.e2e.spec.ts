import { fileURLToPath } from 'node:url';
import type { Me } from '@medley/contracts';
import { DirectoryServer, freePort, IdentityProvider, type ServerProgram, startPostgres, startServer } from '@medley/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser } from './console-browser.js';

const consoleDirectory = fileURLToPath(new URL('../../../apps/console/dist', import.meta.url));

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let provider: IdentityProvider;
let directory: DirectoryServer;
let server: ServerProgram;
let browser: ConsoleBrowser;

beforeAll(async () => {
  const port = await freePort();
  [postgres, provider, directory] = await Promise.all([
    startPostgres(),
    IdentityProvider.start({
      publicUrl: `http://127.0.0.1:${port}`,
      accounts: { 'subject-ada': { preferred_username: 'ada', name: 'Ada Lovelace' } },
    }),
    DirectoryServer.start({ people: [{ uid: 'grace', password: 'hopper', name: 'Grace Hopper' }] }),
  ]);
  const env = { ...provider.serverEnv, ...directory.serverEnv, MEDLEY_OIDC_LOGOUT: 'true', MEDLEY_CONSOLE_DIR: consoleDirectory };
  server = await startServer({ databaseUrl: postgres.url, port, env });
  browser = await ConsoleBrowser.open(server.url);
});

afterEach(() => browser.context.clearCookies());

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await Promise.all([postgres?.stop(), provider?.remove(), directory?.remove()]);
});

/** Who the browser is to the server. */
const me = () => browser.page.evaluate(async () => (await fetch('/api/v1/me')).json()) as Promise<Me>;
/** The provider's own pages: its login form, then its consent. */
async function signInAtProvider(): Promise<void> {
  const { page } = browser;
  await page.getByPlaceholder('Enter any login').fill('subject-ada');
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}
const throughProvider = () => browser.page.getByRole('link', { name: 'Sign in with Test provider' });

describe('signing in on the login page as somebody whom another system knows', () => {
  it('goes through the provider and on to the page that was asked for', async () => {
    const { page } = browser;
    await page.goto('/runs?state=failed');
    await throughProvider().click();
    await signInAtProvider();
    await page.waitForURL(`${server.url}/runs?state=failed`);
    await page.getByRole('button', { name: 'Account' }).waitFor();
    expect(await me()).toMatchObject({ name: 'ada', displayName: 'Ada Lovelace', source: 'oidc' });
  });

  it('ends here and at the provider when the user signs out', async () => {
    const { page } = browser;
    await page.goto('/login');
    await throughProvider().click();
    await signInAtProvider();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.waitForURL(`${server.url}/login`);
    expect(await me()).toMatchObject({ code: 'authentication-required' });
  });

  it('tells on the login page that the provider refused, and keeps the page asked for', async () => {
    const { page } = browser;
    await page.goto('/login?to=/nodes');
    await throughProvider().click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('alert').filter({ hasText: 'The provider did not let you sign in' }).waitFor();
    expect(page.url()).toBe(`${server.url}/login?problem=sign-in-denied&to=%2Fnodes`);
  });

  it('shows nothing of an address but codes it knows', async () => {
    await browser.page.goto('/login?problem=Call+0900-EVIL+to+go+on');
    await browser.page.getByRole('alert').filter({ hasText: 'Something unexpected happened' }).waitFor();
    expect(await browser.page.getByText('EVIL').count()).toBe(0);
  });

  it('takes name and password of the directory in the form for local users', async () => {
    const { page } = browser;
    await page.goto('/login');
    await page.getByText('You can use your name and password of Test directory here.').waitFor();
    await browser.signIn('grace', 'hopper');
    await page.getByRole('button', { name: 'Account' }).waitFor();
    expect(await me()).toMatchObject({ name: 'grace', source: 'ldap' });
  });

  it('met no error of the page on the way', () => {
    expect(browser.complaints).toEqual([]);
  });
});

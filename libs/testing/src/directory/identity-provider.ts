import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, diesWithParent, type Exit, freePort, startChild, untilReady } from '@medley/scripts/services';
import { temporaryDirectory } from '../services/temporary-directory.js';

/** Beside this file in the sources; the build leaves it there. */
const program = fileURLToPath(new URL('../../src/directory/identity-provider.mjs', import.meta.url));

/** What the provider tells of an account; the account's name is its subject and what its login form is given. */
export interface IdentityClaims {
  preferred_username?: string;
  name?: string;
  email?: string;
  groups?: string[];
}

export interface IdentityProviderLaunch {
  /** Where Medley is reached: the provider redirects to this address only. */
  publicUrl: string;
  accounts: Record<string, IdentityClaims>;
}

/** A real OpenID provider (oidc-provider) in a process of its own. Its login form takes any password. */
export class IdentityProvider {
  readonly clientId = 'medley';
  readonly clientSecret = 'a-secret-of-the-test-provider';
  readonly #directory = temporaryDirectory('identity-provider');
  #child: Child | undefined;

  private constructor(
    readonly port: number,
    private readonly publicUrl: string,
  ) {}

  static async start({ publicUrl, accounts }: IdentityProviderLaunch): Promise<IdentityProvider> {
    const provider = new IdentityProvider(await freePort(), publicUrl);
    provider.setAccounts(accounts);
    await provider.start();
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What Medley is told of this provider. */
  get serverEnv(): Record<string, string> {
    return {
      MEDLEY_PUBLIC_URL: this.publicUrl,
      MEDLEY_OIDC_ISSUER: this.issuer,
      MEDLEY_OIDC_CLIENT_ID: this.clientId,
      MEDLEY_OIDC_CLIENT_SECRET: this.clientSecret,
      MEDLEY_OIDC_SCOPES: 'openid profile email groups',
      MEDLEY_OIDC_GROUPS_CLAIM: 'groups',
      MEDLEY_OIDC_DISPLAY_NAME: 'Test provider',
    };
  }

  /** Replaces all accounts; holds from the next sign-in on. */
  setAccounts(accounts: Record<string, IdentityClaims>): void {
    writeFileSync(this.#accountsFile, JSON.stringify(accounts));
  }

  /** Starts it, or starts it again on the same port after `stop`. */
  async start(): Promise<void> {
    const settings = {
      port: this.port,
      accountsFile: this.#accountsFile,
      clientId: this.clientId,
      clientSecret: this.clientSecret,
      redirectUri: `${this.publicUrl}/api/v1/sign-in/oidc/callback`,
      postLogoutRedirectUri: `${this.publicUrl}/login`,
    };
    const argv = diesWithParent('SIGKILL', [process.execPath, program, JSON.stringify(settings)]);
    this.#child = startChild({ name: 'OpenID provider', argv });
    await untilReady(this.#child, () => isDiscoverable(this.issuer));
  }

  async stop(): Promise<Exit | undefined> {
    return this.#child?.stop({ graceMs: 2_000 });
  }

  /** Ends it and removes its files. */
  async remove(): Promise<void> {
    await this.stop();
    this.#directory.remove();
  }

  get #accountsFile(): string {
    return join(this.#directory.path, 'accounts.json');
  }
}

async function isDiscoverable(issuer: string): Promise<boolean> {
  try {
    const response = await fetch(`${issuer}/.well-known/openid-configuration`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

import { describe, expect, it } from 'vitest';
import { findProcessesByMarker } from '../processes/find-processes.js';
import { DirectoryServer } from './directory-server.js';
import { IdentityProvider } from './identity-provider.js';

describe('servers that know people', () => {
  it('an OpenID provider tells where it is asked, and comes back on its port', async () => {
    const provider = await IdentityProvider.start({ publicUrl: 'http://127.0.0.1:1', accounts: {} });
    const ask = async () => (await fetch(`${provider.issuer}/.well-known/openid-configuration`)).json();
    expect(await ask()).toMatchObject({ issuer: provider.issuer, code_challenge_methods_supported: ['S256'] });
    await provider.stop();
    await expect(ask()).rejects.toThrow();
    await provider.start();
    expect(await ask()).toMatchObject({ issuer: provider.issuer });
    await provider.remove();
  });

  it('a directory starts with its people and leaves no process', async () => {
    const directory = await DirectoryServer.start({
      people: [{ uid: 'a,b+c="d"', password: 'p', name: 'Odd' }],
      groups: { g: ['a,b+c="d"'] },
    });
    expect(directory.log).toContain('slapd starting');
    const marker = directory.serverEnv.MEDLEY_LDAP_CA_FILE!.replace('/ca.pem', '');
    expect(findProcessesByMarker(marker)).toHaveLength(1);
    await directory.remove();
    expect(findProcessesByMarker(marker)).toEqual([]);
  });
});

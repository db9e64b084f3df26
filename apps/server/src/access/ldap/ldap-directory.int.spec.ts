import { DirectoryServer, makeCertificates, temporaryDirectory, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readServerConfig } from '../../config.js';
import { createLogger } from '../../logging/logger.js';
import { LdapDirectory } from './ldap-directory.js';

const odd = 'o,dd (*)\\ "名"';

describe('a directory', () => {
  let directory: DirectoryServer;
  const foreign = temporaryDirectory('foreign-authority');
  beforeAll(async () => {
    directory = await DirectoryServer.start({
      people: [
        { uid: 'ada', password: 'lovelace', name: 'Ada Lovelace', email: 'ada@example.org' },
        { uid: 'grace', password: 'hopper', name: 'Grace Hopper' },
        { uid: 'silent', password: 'never tried', name: 'Silent' },
        { uid: odd, password: 'pass word 密', name: 'Odd' },
      ],
      groups: { developers: ['ada', odd], operators: ['ada'], others: ['grace'] },
      // Staff and crew hold each other, as careless directories do.
      subgroups: { staff: ['developers', 'crew'], crew: ['staff'], everybody: ['crew', 'others'] },
    });
  });
  afterAll(async () => {
    await directory.remove();
    foreign.remove();
  });

  const asked = (settings: Record<string, string | undefined> = {}) =>
    new LdapDirectory(
      readServerConfig({ MEDLEY_DATABASE_URL: 'postgres://unused', ...directory.serverEnv, ...settings }),
      createLogger('silent'),
    );

  /** A sign-in that the directory has written down, so that its log is complete up to here. */
  const seenSigningIn = async () => {
    const before = directory.log.length;
    await asked().authenticate('grace', 'hopper');
    await waitFor(() => directory.log.slice(before).includes('BIND dn="uid=grace'), { describe: 'the log of the directory' });
  };

  it('tells who signs in, with the groups', async () => {
    const identity = await asked().authenticate('ada', 'lovelace');
    expect(identity).toEqual({
      source: 'ldap',
      issuer: null,
      subject: expect.stringMatching(/^[0-9a-f]{8}-/),
      userName: 'ada',
      displayName: 'Ada Lovelace',
      email: 'ada@example.org',
      groups: expect.toSatisfy((groups: string[]) => groups.toSorted().join() === 'crew,developers,everybody,operators,staff'),
    });
  });

  it('calls a person by the name it has, however it was typed, and by the same subject', async () => {
    const [typed, shouted] = await Promise.all([asked().authenticate('ada', 'lovelace'), asked().authenticate(' ADA ', 'lovelace')]);
    expect(shouted).toEqual(typed);
  });

  it('calls groups by their distinguished names where that is wanted', async () => {
    const identity = await asked({ MEDLEY_LDAP_GROUP_ATTRIBUTE: 'dn' }).authenticate('grace', 'hopper');
    expect(identity).toMatchObject({
      groups: ['cn=others,ou=groups,dc=example,dc=org', 'cn=everybody,ou=groups,dc=example,dc=org'],
    });
  });

  it('leaves out what groups are members of where that is not wanted', async () => {
    const identity = await asked({ MEDLEY_LDAP_NESTED_GROUPS: 'false' }).authenticate('grace', 'hopper');
    expect(identity).toMatchObject({ groups: ['others'] });
  });

  it('says nothing about groups when it is not asked for them', async () => {
    expect(await asked({ MEDLEY_LDAP_GROUP_BASE_DN: undefined }).authenticate('grace', 'hopper')).toMatchObject({
      email: null,
      groups: null,
    });
  });

  it.each([
    ['a wrong password', 'ada', 'Lovelace'],
    ['the password of somebody else', 'grace', 'lovelace'],
    ['an unknown name', 'nobody', 'lovelace'],
    ['an empty name', '', 'lovelace'],
  ])('refuses %s', async (_, name, password) => {
    expect(await asked().authenticate(name, password)).toBeNull();
  });

  it('is not asked at all about an empty password, with which a bind would succeed', async () => {
    expect(await asked().authenticate('silent', '')).toBeNull();
    await seenSigningIn();
    expect(directory.log).not.toContain('silent');
  });

  it.each(['*', 'a*', 'ada)(uid=*', '*)(|(uid=*', 'ada)(objectClass=*))(|(uid=x', 'ada\\2a', '\\61da', 'ad\\a', 'ada)(cn=Ada Lovelace'])(
    'takes the name %j for a name, not for a filter',
    async (name) => {
      expect(await asked().authenticate(name, 'lovelace')).toBeNull();
    },
  );

  it('finds a name full of letters that mean something in filters and in entry names, with its groups', async () => {
    expect(await asked().authenticate(odd, 'pass word 密')).toMatchObject({
      userName: odd,
      groups: ['developers', 'staff', 'crew', 'everybody'],
    });
  });

  it('lets nobody in by a name that several entries answer to', async () => {
    const either = asked({ MEDLEY_LDAP_USER_FILTER: '(|(uid={name})(objectClass=inetOrgPerson))' });
    expect(await either.authenticate('ada', 'lovelace')).toBeNull();
  });

  it('is asked over TLS from the first byte as well', async () => {
    const tls = asked({ MEDLEY_LDAP_URL: `ldaps://localhost:${directory.tlsPort}`, MEDLEY_LDAP_START_TLS: undefined });
    expect(await tls.authenticate('ada', 'lovelace')).toMatchObject({ userName: 'ada' });
  });

  it.each([
    ['StartTLS', false],
    ['ldaps', true],
  ])('is not believed over %s when another authority vouches for it, and hears no password then', async (_, ldaps) => {
    const { authority } = makeCertificates(foreign.path);
    const settings = ldaps ? { MEDLEY_LDAP_URL: `ldaps://127.0.0.1:${directory.tlsPort}`, MEDLEY_LDAP_START_TLS: undefined } : {};
    const stranger = { ...settings, MEDLEY_LDAP_CA_FILE: authority, MEDLEY_LDAP_BIND_DN: 'cn=unheard' };
    await expect(asked(stranger).authenticate('ada', 'lovelace')).rejects.toMatchObject({
      code: 'directory-unavailable',
    });
    await seenSigningIn();
    expect(directory.log).not.toContain('unheard');
  });

  it('is told as unavailable when it refuses the server itself', async () => {
    const wrong = asked({ MEDLEY_LDAP_BIND_PASSWORD: 'wrong' }).authenticate('ada', 'lovelace');
    await expect(wrong).rejects.toMatchObject({ code: 'directory-unavailable' });
  });

  it('is told as unavailable when its entries have no name', async () => {
    const nameless = asked({ MEDLEY_LDAP_NAME_ATTRIBUTE: 'employeeNumber' }).authenticate('ada', 'lovelace');
    await expect(nameless).rejects.toMatchObject({ code: 'directory-unavailable' });
  });

  it('is told as unavailable when it hangs, in time', async () => {
    directory.freeze();
    const startedAt = performance.now();
    await expect(asked({ MEDLEY_LDAP_TIMEOUT_SECONDS: '0.3' }).authenticate('ada', 'lovelace')).rejects.toMatchObject({
      code: 'directory-unavailable',
      kind: 'unavailable',
    });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    directory.thaw();
  });

  it('is told as unavailable while it is down, and asked again when it is back', async () => {
    await directory.stop();
    await expect(asked().authenticate('ada', 'lovelace')).rejects.toMatchObject({ code: 'directory-unavailable' });
    await directory.start();
    expect(await asked().authenticate('ada', 'lovelace')).toMatchObject({ userName: 'ada' });
  });
});

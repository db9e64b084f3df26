import { describe, expect, it } from 'vitest';
import { claimAt, identityOf } from './identity-claims.js';

const config = { userNameClaim: 'preferred_username', groupsClaim: 'groups' };

describe('the identity in claims', () => {
  it('is read from the configured claims', () => {
    const claims = {
      iss: 'https://id.example',
      sub: '42',
      preferred_username: 'ada',
      name: 'Ada L.',
      email: 'ada@example.org',
      groups: ['dev', 'dev', 7, '', 'ops'],
    };
    expect(identityOf(claims, config)).toEqual({
      source: 'oidc',
      issuer: 'https://id.example',
      subject: '42',
      userName: 'ada',
      displayName: 'Ada L.',
      email: 'ada@example.org',
      groups: ['dev', 'ops'],
    });
  });

  it.each([
    {},
    { sub: '42' },
    { sub: '42', preferred_username: '' },
    { sub: '42', preferred_username: { a: 1 } },
    { preferred_username: 'ada' },
  ])('is none when the claims are %o', (claims) => {
    expect(identityOf(claims, config)).toBeNull();
  });

  it('has no groups when the claim is missing, and leaves groups alone when none is configured', () => {
    const claims = { sub: '42', preferred_username: 'ada' };
    expect(identityOf(claims, config)?.groups).toEqual([]);
    expect(identityOf({ ...claims, groups: 'dev' }, config)?.groups).toEqual(['dev']);
    expect(identityOf({ ...claims, groups: ['dev'] }, { ...config, groupsClaim: null })?.groups).toBeNull();
  });

  it('has a display name that can be stored and shown', () => {
    const claims = { sub: '42', preferred_username: 'ada', name: ` Ada\u0000\n${'x'.repeat(300)}`, email: '\u0007' };
    expect(identityOf(claims, config)).toMatchObject({ displayName: `Ada${'x'.repeat(300)}`.slice(0, 200), email: null });
  });

  it('may be nested, or have dots in its name', () => {
    expect(claimAt({ realm_access: { roles: ['a'] } }, 'realm_access.roles')).toEqual(['a']);
    expect(claimAt({ 'https://example.org/groups': ['b'] }, 'https://example.org/groups')).toEqual(['b']);
    expect(claimAt({ a: [] }, 'a.length')).toBeUndefined();
    expect(claimAt({ a: 'text' }, 'a.constructor.name')).toBeUndefined();
  });
});

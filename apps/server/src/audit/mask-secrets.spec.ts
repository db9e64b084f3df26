import { describe, expect, it } from 'vitest';
import { MASK, maskSecrets } from './mask-secrets.js';

describe('what is shown of a state', () => {
  it('hides everything under a name of a secret, however deep and of whatever kind, but for flags', () => {
    const state = {
      name: 'load',
      password: 'hunter2',
      env: { DB_PASSWORD: 'x', API_KEY: 'y', REGION: 'eu' },
      items: [{ clientSecret: { a: 1 } }, { token_hash: '00ff' }],
      pin: 3,
      authToken: 123,
      mustChangePassword: true,
      secretNote: null,
    };
    expect(maskSecrets(state)).toEqual({
      name: 'load',
      password: MASK,
      env: { DB_PASSWORD: MASK, API_KEY: MASK, REGION: 'eu' },
      items: [{ clientSecret: MASK }, { token_hash: MASK }],
      pin: 3,
      authToken: MASK,
      mustChangePassword: true,
      secretNote: null,
    });
  });

  it('hides tokens of Medley and passwords in addresses wherever they stand', () => {
    expect(maskSecrets('curl -H "Bearer medley_api_abcdefghijklmnopqrstuvwx"')).toBe(`curl -H "Bearer ${MASK}"`);
    expect(maskSecrets(['postgres://app:geheim@db:5432/x'])).toEqual([`postgres://app:${MASK}@db:5432/x`]);
  });
});

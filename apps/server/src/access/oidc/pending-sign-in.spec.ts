import { describe, expect, it } from 'vitest';
import { PENDING_SECONDS, PendingSignInSeal } from './pending-sign-in.js';

const pending = { state: 's', nonce: 'n', codeVerifier: 'v', to: '/runs' };
const secret = 'shared by all servers';

describe('a sealed sign-in', () => {
  it('is opened by another server with the same secret, and by none with another', () => {
    const sealed = new PendingSignInSeal(secret, () => 0).seal(pending);
    expect(new PendingSignInSeal(secret, () => 0).open(sealed)).toEqual(pending);
    expect(new PendingSignInSeal('another secret', () => 0).open(sealed)).toBeNull();
  });

  it('is over after ten minutes', () => {
    let now = 1_000;
    const seal = new PendingSignInSeal(secret, () => now);
    const sealed = seal.seal(pending);
    now += PENDING_SECONDS * 1000 - 1;
    expect(seal.open(sealed)).toEqual(pending);
    now += 1;
    expect(seal.open(sealed)).toBeNull();
  });

  it('cannot be altered, cut, made up or read', () => {
    const seal = new PendingSignInSeal(secret, () => 0);
    const bytes = Buffer.from(seal.seal(pending), 'base64url');
    expect(bytes.toString('latin1')).not.toContain('/runs');
    for (let at = 0; at < bytes.length; at += 1) {
      const altered = Buffer.from(bytes);
      altered[at]! ^= 1;
      expect(seal.open(altered.toString('base64url')), `byte ${at}`).toBeNull();
      expect(seal.open(bytes.subarray(0, at).toString('base64url')), `first ${at} bytes`).toBeNull();
    }
    expect(seal.open('made-up')).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { isSigned, readHeaders, secretOf, sign } from './signature.js';

const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
const body = Buffer.from('{"test": 2432232314}');
const headers = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

describe('the signature of a delivery', () => {
  it('is that of the published example of Standard Webhooks', () => {
    expect(sign(key, headers['webhook-id'], 1614265330, body)).toBe('g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
    expect(secretOf(key)).toBe('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    expect(isSigned([key], readHeaders(headers), body)).toBe(true);
  });

  it('covers the body, the id and the time, and holds by any of several signatures and keys', () => {
    const read = readHeaders(headers);
    expect(isSigned([key], read, Buffer.from('{"test": 2432232315}'))).toBe(false);
    expect(isSigned([key], { ...read, id: 'msg_other' }, body)).toBe(false);
    expect(isSigned([key], { ...read, timestamp: read.timestamp + 1 }, body)).toBe(false);
    expect(isSigned([Buffer.from('other')], read, body)).toBe(false);
    expect(isSigned([], read, body)).toBe(false);
    const several = readHeaders({ ...headers, 'webhook-signature': `v1a,ed25519 v1,short ${headers['webhook-signature']}` });
    expect(isSigned([Buffer.from('other'), key], several, body)).toBe(true);
  });

  it.each([
    [{ 'webhook-id': undefined }, 'webhook-id is missing'],
    [{ 'webhook-id': 'with space' }, 'webhook-id has to be'],
    [{ 'webhook-timestamp': '2026-01-01' }, 'seconds since 1970'],
    [{ 'webhook-signature': 'sha256=abc' }, 'no signature of version 1'],
  ])('is refused with %j, and the header is named', (change, message) => {
    expect(() => readHeaders({ ...headers, ...change })).toThrow(message);
  });
});

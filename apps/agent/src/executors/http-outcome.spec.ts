import { describe, expect, it } from 'vitest';
import { addressOf, describeNetworkError, isExpectedStatus } from './http-outcome.js';

describe('outcome of an HTTP task', () => {
  it('expects 2xx unless told otherwise', () => {
    expect([200, 204, 301, 404].map((status) => isExpectedStatus(status, []))).toEqual([true, true, false, false]);
    expect([200, 404].map((status) => isExpectedStatus(status, [404]))).toEqual([false, true]);
  });

  it('names the cause of a network error', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    expect(describeNetworkError(new TypeError('fetch failed', { cause }))).toBe('connect ECONNREFUSED 127.0.0.1:1');
    expect(describeNetworkError(Object.assign(new Error(''), { code: 'ENOTFOUND' }))).toContain('ENOTFOUND');
  });

  it('shows an address without what may be secret', () => {
    expect(addressOf('https://user:word@host:8443/path?token=x')).toBe('https://host:8443/path');
    expect(addressOf('nonsense')).toBe('an invalid address');
  });
});

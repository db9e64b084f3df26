import { inEnglish, phrase } from '@medley/core';
import { describe, expect, it } from 'vitest';
import { addressOf, describeNetworkError, describeStatuses } from './http-outcome.js';

describe('outcome of an HTTP task', () => {
  const said = (statuses: number[]) => inEnglish(phrase('one-of', { names: describeStatuses(statuses) })).replace('one of: ', '');

  it('lists the expected statuses, neighbours as a range', () => {
    expect(said([200, 201, 202, 203, 204, 205, 206])).toBe('200 to 206');
    expect(said([404, 200, 201, 200, 204])).toBe('200 to 201, 204, 404');
    expect(said([204])).toBe('204');
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

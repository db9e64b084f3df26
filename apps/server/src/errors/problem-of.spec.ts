import { AppError } from '@medley/core';
import { NotFoundException } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { appErrorOf, problemOf } from './problem-of.js';

const statusOf = (exception: unknown) => problemOf(appErrorOf(exception), 'r').status;

describe('problems', () => {
  it('carry code, title, detail and every field fault', () => {
    const problem = problemOf(new AppError('parameter-invalid', 'day is missing', [{ path: 'day', message: 'is required' }]), 'request-1');
    expect(problem).toEqual({
      type: 'urn:medley:error:parameter-invalid',
      title: 'A parameter value is missing or has the wrong type',
      status: 400,
      code: 'parameter-invalid',
      detail: 'day is missing',
      fields: [{ path: 'day', message: 'is required' }],
      requestId: 'request-1',
    });
  });

  it.each([
    ['permission-denied', 403],
    ['name-taken', 409],
    ['stale-version', 412],
    ['too-many-requests', 429],
    ['unavailable', 503],
  ] as const)('of %s have status %i', (code, status) => {
    expect(statusOf(new AppError(code, 'why'))).toBe(status);
  });

  it.each([
    ['a refused connection', Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })],
    ['a database that shuts down', Object.assign(new Error('terminating'), { driverError: { code: '57P01' } })],
    ['a lost connection', new Error('Connection terminated unexpectedly')],
    ['a refused connection to each address', Object.assign(new AggregateError([{ code: 'ECONNREFUSED' }]), {})],
  ])('say that Medley is unavailable on %s', (_, exception) => {
    expect(appErrorOf(exception).code).toBe('unavailable');
  });

  it('hide what nobody foresaw and keep it as the cause', () => {
    const cause = new TypeError('secret path /etc');
    const error = appErrorOf(cause);
    expect(error).toMatchObject({ code: 'internal', cause });
    expect(error.detail).not.toContain('secret');
  });

  it('tell an unknown address from an unknown thing', () => {
    expect(appErrorOf(new NotFoundException('Cannot GET /x')).code).toBe('route-not-found');
  });
});

import { inEnglish } from '@medley/core';
import { describe, expect, it } from 'vitest';
import { outputsOfAnswer } from './http-outputs.js';

const answer = { status: 201, headers: { location: '/jobs/7' }, body: '{"first": {"n": 5}, "items": [{"id": "a"}]}' };

describe('the outputs of an HTTP task', () => {
  it('are taken from status, headers and a JSON body by expression', () => {
    const expressions = {
      rows: 'json.first.n',
      id: 'json.items[0].id',
      code: 'status',
      place: 'headers.location',
      many: 'size(json.items) > 0',
    };
    expect(outputsOfAnswer(expressions, answer)).toEqual({
      ok: true,
      outputs: { rows: 5, id: 'a', code: 201, place: '/jobs/7', many: true },
    });
  });

  it('fail by name, saying whether the body was JSON at all', () => {
    const faultOf = (taken: ReturnType<typeof outputsOfAnswer>) => (taken.ok ? '' : inEnglish(taken.fault));
    expect(faultOf(outputsOfAnswer({ rows: 'json.none' }, answer))).toContain('output `rows`');
    expect(faultOf(outputsOfAnswer({ rows: 'json.n' }, { ...answer, body: '<html>' }))).toContain('the body is not JSON');
  });
});

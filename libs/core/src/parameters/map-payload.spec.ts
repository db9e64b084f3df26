import { describe, expect, it } from 'vitest';
import { mapPayload, pointAt, readPointer } from './map-payload.js';

const payload = { order: { id: 'o-7', 'a/b': 1, 'x~y': 2, items: [{ day: '2026-03-01' }] }, nothing: null };

describe('a pointer into a payload', () => {
  it.each([
    ['/order/id', 'o-7'],
    ['/order/items/0/day', '2026-03-01'],
    ['/order/a~1b', 1],
    ['/order/x~0y', 2],
    ['/nothing', null],
    ['/order/items/1', undefined],
    ['/order/id/length', undefined],
    ['/order/toString', undefined],
    ['', payload],
  ])('%j finds %j', (pointer, expected) => expect(pointAt(payload, pointer)).toEqual(expected));

  it.each(['order/id', '/a~2b', '/a~'])('%j is none', (text) => expect(readPointer(text)).toBeNull());
});

describe('the parameters of a payload', () => {
  it('are its fields by name without a map', () => {
    expect(mapPayload({ day: 1 }, null, new Set())).toEqual({ values: { day: 1 }, missing: [] });
  });

  it('are what the pointers find, and faults name the pointer that finds nothing', () => {
    const map = { order: '/order/id', day: '/order/day', region: '/region' };
    expect(mapPayload(payload, map, new Set(['region']))).toMatchObject({
      values: { order: 'o-7' },
      missing: [{ path: 'parameters.day', message: 'the payload has nothing at `/order/day`' }],
    });
  });
});

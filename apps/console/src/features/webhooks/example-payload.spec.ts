import { describe, expect, it } from 'vitest';
import { examplePayload } from './example-payload.js';

describe('the payload of an example', () => {
  it('has something wherever a pointer points', () => {
    expect(JSON.parse(examplePayload({ day: '/order/day', id: '/order/id', note: '/note', 'a/b': '/x~1y' }))).toEqual({
      order: { day: '…', id: '…' },
      note: '…',
      'x/y': '…',
    });
    expect(examplePayload(null)).toBe('{}');
  });
});

import { describe, expect, it } from 'vitest';
import { capped, stateChange } from './state-change.js';

describe('the change between two states', () => {
  it('holds only what differs, in maps field by field', () => {
    const before = { name: 'a', labels: { zone: 'x', rack: '1' }, list: [1, 2], same: { b: 1, a: 2 }, gone: 1, note: null };
    const after = { name: 'b', labels: { zone: 'y', rack: '1' }, list: [1, 3], same: { a: 2, b: 1 }, come: 2, note: 'now' };
    expect(stateChange(before, after)).toEqual({
      before: { name: 'a', labels: { zone: 'x' }, list: [1, 2], gone: 1, note: null },
      after: { name: 'b', labels: { zone: 'y' }, list: [1, 3], come: 2, note: 'now' },
    });
  });

  it('is the whole of what came or went, and nothing on both sides of what stayed', () => {
    expect(stateChange(null, { a: 1 })).toEqual({ before: null, after: { a: 1 } });
    expect(stateChange({ a: 1 }, null)).toEqual({ before: { a: 1 }, after: null });
    expect(stateChange({ a: 1 }, { a: 1 })).toEqual({ before: null, after: null });
  });
});

describe('a state that is kept', () => {
  it('has a word about its size in place of a field that is too large', () => {
    expect(capped({ name: 'a', text: 'x'.repeat(5000) })).toEqual({ name: 'a', text: '(left out: 5002 bytes)' });
  });

  it('is never much larger than sixteen KiB', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`field-${n}`, 'x'.repeat(200)]));
    expect(JSON.stringify(capped(many)).length).toBeLessThan(32_768);
  });
});

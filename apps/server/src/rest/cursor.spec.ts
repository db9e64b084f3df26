import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, listKind } from './cursor.js';

const kind = listKind('nodes', { limit: 50, state: 'online', poolId: undefined });

describe('a cursor', () => {
  it('is good for the list and filter it was made with, whatever the page size', () => {
    const cursor = encodeCursor(kind, ['alpha']);
    const later = listKind('nodes', { limit: 10, cursor, state: 'online' });
    expect(decodeCursor(later, cursor, 1)).toEqual(['alpha']);
  });

  it.each([
    ['another filter', listKind('nodes', { state: 'offline' })],
    ['no filter', listKind('nodes', {})],
    ['another list', listKind('runs', { state: 'online' })],
  ])('is refused with %s', (_, other) => {
    expect(() => decodeCursor(other, encodeCursor(kind, ['alpha']), 1)).toThrow('cursor-invalid');
  });

  it('is refused when it was altered', () => {
    expect(() => decodeCursor(kind, 'bm9uc2Vuc2U', 1)).toThrow('cursor-invalid');
  });
});

import { describe, expect, it } from 'vitest';
import { boundsOf, drawnRange, readRange } from './time-range.js';

const MINUTE = 60_000;

describe('the range of the overview', () => {
  it('is read from the address, and an hour when the address makes no sense', () => {
    expect(readRange('day', '', '')).toEqual({ kind: 'live', name: 'day' });
    expect(readRange('', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z')).toEqual({
      kind: 'fixed',
      fromMs: Date.parse('2026-01-01T00:00:00Z'),
      toMs: Date.parse('2026-01-01T01:00:00Z'),
    });
    expect(readRange('aeon', '2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z')).toEqual({ kind: 'live', name: 'hour' });
    expect(readRange('', '2020-01-01T00:00:00Z', '2026-01-01T00:00:00Z')).toEqual({ kind: 'live', name: 'hour' });
  });

  it('looks ahead a quarter of what it looks back', () => {
    expect(boundsOf({ kind: 'live', name: 'hour' }, 0)).toEqual({ fromMs: -60 * MINUTE, toMs: 15 * MINUTE });
  });

  it('becomes what was drawn, in either direction, but not by a click', () => {
    const bounds = { fromMs: 0, toMs: 60 * MINUTE };
    expect(drawnRange(30 * MINUTE, 10 * MINUTE, bounds)).toEqual({ fromMs: 10 * MINUTE, toMs: 30 * MINUTE });
    expect(drawnRange(-5 * MINUTE, 90 * MINUTE, bounds)).toEqual(bounds);
    expect(drawnRange(1000, 2000, bounds)).toBeNull();
    expect(drawnRange(0, 30_000, { fromMs: 0, toMs: MINUTE })).toEqual({ fromMs: -15_000, toMs: 45_000 });
  });
});

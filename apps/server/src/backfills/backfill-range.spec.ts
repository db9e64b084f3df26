import { describe, expect, it } from 'vitest';
import { rangeOf } from './backfill-range.js';

const now = Date.parse('2026-11-10T12:00:00Z');
const text = ({ fromMs, toMs }: { fromMs: number; toMs: number }) => [fromMs, toMs].map((at) => new Date(at).toISOString());

describe('the range of a backfill', () => {
  it('reaches from the first to the last instant of its days in the zone of the schedule, also across a change of clocks', () => {
    expect(text(rangeOf({ from: '2026-10-24', to: '2026-10-25' }, 'Europe/Berlin', now))).toEqual([
      '2026-10-23T22:00:00.000Z',
      '2026-10-25T22:59:59.999Z',
    ]);
    expect(text(rangeOf({ from: '2026-10-24', to: '2026-10-24' }, 'Asia/Shanghai', now))).toEqual([
      '2026-10-23T16:00:00.000Z',
      '2026-10-24T15:59:59.999Z',
    ]);
  });

  it('takes instants as they are, and ends now', () => {
    expect(text(rangeOf({ from: '2026-11-01T08:00:00+08:00', to: '2026-12-01' }, 'UTC', now))).toEqual([
      '2026-11-01T00:00:00.000Z',
      '2026-11-10T12:00:00.000Z',
    ]);
  });

  it.each([
    ['2026-11-05', '2026-11-04', 'to', 'ends before it begins'],
    ['2026-12-01', '2026-12-02', 'from', 'yet to come'],
  ])('refuses %s to %s at the field that is wrong', (from, to, path, message) => {
    expect(() => rangeOf({ from, to }, 'UTC', now)).toThrow(message);
    expect(() => rangeOf({ from, to }, 'UTC', now)).toThrow(expect.objectContaining({ fields: [expect.objectContaining({ path })] }));
  });
});

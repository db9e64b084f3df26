import { describe, expect, it } from 'vitest';
import { chooseFires, firesInRange, type KnownFire, parseCron } from './index.js';

const parsed = parseCron('0 6 * * *', 'Europe/Berlin');
if (!parsed.ok) throw new Error('the expression is valid');
const { rule } = parsed;
const at = (text: string) => Date.parse(text);

describe('the fires of a range', () => {
  it('include those at both of its ends, by the wall clock of the zone', () => {
    // Summer time begins on 29 March 2026.
    expect(firesInRange(rule, at('2026-03-28T05:00:00Z'), at('2026-03-30T04:00:00Z'), 10)).toEqual(
      ['2026-03-28T05:00:00Z', '2026-03-29T04:00:00Z', '2026-03-30T04:00:00Z'].map(at),
    );
  });

  it('are none in a range between two of them, or of a rule that never fires again', () => {
    expect(firesInRange(rule, at('2026-03-28T05:00:01Z'), at('2026-03-28T12:00:00Z'), 10)).toEqual([]);
    expect(firesInRange({ nextAfter: () => null }, 0, 1e12, 10)).toEqual([]);
  });

  it('are not walked beyond the most that are wanted', () => {
    expect(firesInRange(rule, at('2026-01-01T00:00:00Z'), at('2026-01-03T23:00:00Z'), 3)).toHaveLength(3);
    expect(firesInRange(rule, at('2026-01-01T00:00:00Z'), at('2099-01-01T00:00:00Z'), 3)).toBeNull();
  });
});

describe('choosing fires', () => {
  const known = new Map<number, KnownFire>([
    [1, { begun: true, hopeful: true }],
    [2, { begun: true, hopeful: false }],
    [3, { begun: false, hopeful: false }],
  ]);

  it.each([
    ['all', [4, 3, 2, 1]],
    ['missing', [4, 3]],
    ['unsuccessful', [4, 3, 2]],
  ] as const)('takes of %s those without a run that stands for them', (choice, expected) => {
    expect(chooseFires([4, 3, 2, 1], known, choice)).toEqual(expected);
  });
});

import { describe, expect, it } from 'vitest';
import { type Held, missedLimits } from './limits.js';

const met: Held = {
  graphs: { workflow: { interactiveMs: 2000 }, run: { interactiveMs: 450 } },
  lists: [
    { name: 'list', p95Ms: 4 },
    { name: 'longest first', p95Ms: 300 },
  ],
  log: { openMs: 1000, still: { droppedPercent: 5 }, following: { droppedPercent: 7 } },
};

describe('the limits of the console', () => {
  it('are met up to their very value', () => {
    expect(missedLimits(met)).toEqual([]);
  });

  it('are missed one by one, each with what was measured', () => {
    expect(missedLimits({ ...met, graphs: { ...met.graphs, run: { interactiveMs: 2001 } } })).toEqual([
      'the page of a run, until interactive: 2001 ms, at most 2000 ms',
    ]);
    expect(missedLimits({ ...met, lists: [...met.lists, { name: 'until', p95Ms: 412.3 }] })).toEqual([
      'the list "until", p95: 412 ms, at most 300 ms',
    ]);
    expect(missedLimits({ ...met, log: { ...met.log, openMs: 1200 } })).toEqual([
      'the log, until its last line was in sight: 1200 ms, at most 1000 ms',
    ]);
    expect(missedLimits({ ...met, log: { ...met.log, following: { droppedPercent: 7.5 } } })).toEqual([
      "frames dropped while following a log: 7.5 %, at most 2 points above the still page's 5.0 %",
    ]);
  });

  it('are missed by what could not be measured', () => {
    expect(missedLimits({ ...met, log: { ...met.log, openMs: Number.NaN } })).toHaveLength(1);
    expect(missedLimits({ ...met, log: { ...met.log, following: { droppedPercent: Number.NaN } } })).toHaveLength(1);
  });
});

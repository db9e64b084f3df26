import type { TimelineRow, TimelineRun } from '@medley/contracts';
import { describe, expect, it } from 'vitest';
import { ticksOf } from './time-ticks.js';
import { marksOf } from './timeline-marks.js';

const at = (seconds: number) => new Date(seconds * 1000).toISOString();
const run = (id: string, from: number, started: number | null, to: number | null): TimelineRun => ({
  id,
  state: to === null ? 'running' : 'succeeded',
  trigger: 'manual',
  createdAt: at(from),
  startedAt: started === null ? null : at(started),
  finishedAt: to === null ? null : at(to),
});
const row = (runs: TimelineRun[], fires: number[] = []): TimelineRow => ({
  workflowId: 'w',
  workflow: 'w',
  project: 'p',
  runs,
  fires: fires.map((seconds) => ({ scheduleId: 's', schedule: 's', at: at(seconds) })),
});
/** A pixel a second. */
const plot = { bounds: { fromMs: 0, toMs: 1_000_000 }, nowMs: 500_000, width: 1000 };

describe('marks of the timeline', () => {
  it('reach from creation to end, with the time before the first task told apart', () => {
    expect(marksOf(row([run('a', 100, 130, 200)]), plot).runs).toMatchObject([{ x: 100, width: 100, waitWidth: 30, lane: 0 }]);
  });

  it('of what still runs end now, and begin at the edge when it began before', () => {
    expect(marksOf(row([run('a', -50, -40, null)]), plot).runs).toMatchObject([{ x: 0, width: 500, waitWidth: 0 }]);
    expect(marksOf(row([run('a', 400, null, null)]), plot).runs).toMatchObject([{ x: 400, width: 100, waitWidth: 100 }]);
  });

  it('are never too narrow to see, and nothing outside the range is drawn', () => {
    expect(marksOf(row([run('a', 100, 100, 100)]), plot).runs[0]!.width).toBe(4);
    expect(marksOf(row([run('a', -100, -90, -50), run('b', 1001, 1002, 1003)]), plot).runs).toEqual([]);
  });

  it('stand in lanes when they overlap, in three at most', () => {
    const runs = [run('a', 0, 0, 100), run('b', 10, 10, 300), run('c', 20, 20, 30), run('d', 25, 25, 40), run('e', 150, 150, 160)];
    const marks = marksOf(row(runs), plot);
    expect(marks.runs.map(({ run: { id }, lane }) => [id, lane])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 2],
      ['d', 2],
      ['e', 0],
    ]);
    expect(marks.lanes).toBe(3);
  });

  it('of fires lie ahead of now only: behind it are the runs that they became', () => {
    expect(marksOf(row([], [400, 600, 1200]), plot).fires.map(({ x }) => x)).toEqual([600]);
  });
});

describe('ticks of time', () => {
  it('stand on full steps of local time', () => {
    const hour = 3_600_000;
    expect(ticksOf(0, 24 * hour, 5, 8 * hour)).toEqual({ stepMs: 6 * hour, at: [4, 10, 16, 22].map((hours) => hours * hour) });
    expect(ticksOf(30_000, 200_000, 4, 0)).toEqual({ stepMs: 60_000, at: [60_000, 120_000, 180_000] });
  });
});

import { describe, expect, it } from 'vitest';
import type { DueSchedule, RunOfWorkflow } from './timeline.repository.js';
import { firesWithin, rowsOf } from './timeline-rows.js';

const MINUTE = 60_000;
const every = (minutes: number, scheduleId: string): DueSchedule & { minutes: number } => ({
  scheduleId,
  schedule: scheduleId,
  workflowId: `w-${scheduleId}`,
  workflow: scheduleId,
  project: 'default',
  kind: 'cron' as const,
  cron: '',
  rule: {},
  zone: 'UTC',
  starts: null,
  ends: null,
  calendar: null,
  nextFireAt: new Date(minutes * MINUTE),
  minutes,
});
const firesAfter = (schedule: DueSchedule, afterMs: number, count: number) =>
  Array.from({ length: count }, (_, index) => afterMs + (index + 1) * (schedule as ReturnType<typeof every>).minutes * MINUTE);

const run = (id: string, workflow: string): RunOfWorkflow => ({
  id,
  workflowId: `w-${workflow}`,
  workflow,
  project: 'default',
  state: 'running',
  trigger: 'manual',
  createdAt: '2026-01-01T00:00:00.000Z',
  startedAt: null,
  finishedAt: null,
});

describe('coming fires', () => {
  it('are those of all schedules within the range, in order', () => {
    const bounds = { fromMs: 0, toMs: 7 * MINUTE, mostPerSchedule: 10 };
    const { fires, until } = firesWithin([every(2, 'often'), every(3, 'seldom')], bounds, firesAfter);
    expect(fires.map(({ schedule, at }) => [schedule, Date.parse(at) / MINUTE])).toEqual([
      ['often', 2],
      ['seldom', 3],
      ['often', 4],
      ['often', 6],
      ['seldom', 6],
    ]);
    expect(until).toBeNull();
  });

  it('of a schedule that fires all the time are cut, and it is told from when on', () => {
    const { fires, until } = firesWithin([every(1, 'busy')], { fromMs: 0, toMs: 60 * MINUTE, mostPerSchedule: 3 }, firesAfter);
    expect(fires).toHaveLength(3);
    expect(Date.parse(until!) / MINUTE).toBe(4);
  });

  it('before the range are left out', () => {
    const { fires } = firesWithin([every(1, 'busy')], { fromMs: 3 * MINUTE, toMs: 5 * MINUTE, mostPerSchedule: 10 }, firesAfter);
    expect(fires.map(({ at }) => Date.parse(at) / MINUTE)).toEqual([3, 4]);
  });
});

describe('rows of the timeline', () => {
  it('are workflows by name, whatever ran last, with their runs in order of creation', () => {
    const rows = rowsOf([run('3', 'zeta'), run('2', 'alpha'), run('1', 'zeta')], []);
    expect(rows.map((row) => [row.workflow, row.runs.map(({ id }) => id)])).toEqual([
      ['alpha', ['2']],
      ['zeta', ['1', '3']],
    ]);
  });
});

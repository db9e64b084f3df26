import { describe, expect, it } from 'vitest';
import {
  attemptsAccepting,
  endedTaskRuns,
  movingTaskRuns,
  reservationsAccepting,
  runsAccepting,
  taskRunsAccepting,
} from './state-lists.js';

describe('the lists of source states', () => {
  it('are those of the state tables', () => {
    expect(runsAccepting('start')).toBe(`('queued')`);
    expect(taskRunsAccepting('dispatch')).toBe(`('ready', 'blocked')`);
    expect(attemptsAccepting('fail')).toBe(`('running', 'stopping')`);
    expect(reservationsAccepting('release')).toBe(`('held', 'releasing')`);
  });

  it('leave out what accepts the other event too', () => {
    expect(taskRunsAccepting('cancel', 'succeed')).toBe(`('waiting', 'ready', 'blocked', 'dispatched', 'retry-wait', 'paused')`);
  });

  it('hold every task run once: waiting, moving or ended', () => {
    expect(movingTaskRuns).toBe(`('ready', 'blocked', 'dispatched', 'running', 'retry-wait', 'paused')`);
    expect(endedTaskRuns).toBe(`('succeeded', 'failed', 'skipped', 'cancelled')`);
  });
});

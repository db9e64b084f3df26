import { describe, expect, it } from 'vitest';
import { attemptStatesAccepting, endingEvent, finalRunState, nextAttemptState, nextRunState, nextTaskRunState } from './index.js';

describe('state tables', () => {
  it('never turn a stopping attempt into a success', () => {
    expect(nextAttemptState('stopping', 'succeed')).toBeNull();
    expect(attemptStatesAccepting('succeed')).toEqual(['running']);
  });

  it('claim an attempt only while it is dispatched', () => {
    expect(attemptStatesAccepting('claim')).toEqual(['dispatched']);
  });

  it('run a retried task only by way of ready and a new dispatch', () => {
    expect(nextTaskRunState('running', 'retry')).toBe('retry-wait');
    expect(nextTaskRunState('retry-wait', 'release')).toBe('ready');
    expect(nextTaskRunState('retry-wait', 'dispatch')).toBeNull();
    expect(nextTaskRunState('retry-wait', 'claim')).toBeNull();
  });

  it('show a cancelled run as cancelling until its end is known', () => {
    expect(nextRunState('running', 'cancel')).toBe('cancelling');
    expect(nextRunState('cancelling', 'cancel')).toBeNull();
    expect(nextRunState('cancelled', 'cancel')).toBeNull();
  });
});

describe('the end of a run', () => {
  it('waits for every task run', () => {
    expect(finalRunState(['failed', 'running', 'succeeded'], false)).toBeNull();
    expect(finalRunState(['succeeded', 'retry-wait'], true)).toBeNull();
  });

  it('is a success when tasks succeeded or were skipped', () => {
    expect(finalRunState(['succeeded', 'skipped'], false)).toBe('succeeded');
  });

  it('is a failure when any task failed, even if another reacted to it', () => {
    expect(finalRunState(['failed', 'succeeded', 'skipped'], false)).toBe('failed');
  });

  it('is cancelled when the cancellation stopped something', () => {
    expect(finalRunState(['succeeded', 'failed', 'cancelled'], true)).toBe('cancelled');
  });

  it('is what the tasks made of it when the cancellation came too late', () => {
    expect(finalRunState(['succeeded', 'succeeded'], true)).toBe('succeeded');
    expect(finalRunState(['succeeded', 'failed'], true)).toBe('failed');
  });

  it('has an event that every unfinished run accepts', () => {
    for (const final of ['succeeded', 'failed', 'cancelled'] as const) {
      for (const state of ['queued', 'running', 'paused', 'cancelling'] as const) {
        expect(nextRunState(state, endingEvent(final))).toBe(final);
      }
    }
  });
});

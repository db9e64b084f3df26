import type { AttemptView, TaskRunItem } from '@medley/contracts';
import { describe, expect, it } from 'vitest';
import { explainTaskRun, type WhyFacts } from './why.js';

const taskRun = (fields: Partial<TaskRunItem>): WhyFacts['taskRun'] => ({
  state: 'ready',
  reason: null,
  tries: 0,
  readyAt: null,
  retryAt: null,
  startedAt: null,
  finishedAt: null,
  keptFrom: null,
  ...fields,
});
const attempt = (fields: Partial<AttemptView>) =>
  ({ number: 1, node: 'alpha', state: 'running', sendNo: 1, exitCode: null, signal: null, detail: null, ...fields }) as AttemptView;
const textOf = (facts: Partial<WhyFacts>) =>
  explainTaskRun({ taskRun: taskRun({}), parents: [], needsMode: 'all', attempt: null, ...facts }).reason.text;
const parent = (key: string, satisfied: boolean) => ({ taskRunId: key, key, state: 'running' as const, needed: 'succeeded', satisfied });

describe('why a task run waits', () => {
  it('names the parents that are not there yet, with their states', () => {
    const parents = [parent('extract', false), parent('check', true)];
    expect(textOf({ taskRun: taskRun({ state: 'waiting' }), parents })).toBe('It waits for extract (running, needed: succeeded).');
  });

  it('counts parents that are too many to name', () => {
    const parents = Array.from({ length: 9 }, (_, index) => parent(`p${index}`, false));
    expect(textOf({ taskRun: taskRun({ state: 'waiting' }), parents })).toMatch(/p4 .* and 4 more\.$/);
  });

  it('repeats the stored reason of a blocked one', () => {
    const reason = { code: 'no-capacity', text: 'every node that fits is full' };
    expect(textOf({ taskRun: taskRun({ state: 'blocked', reason }) })).toBe(reason.text);
  });

  it('tells how far the run of a sub-workflow has come, or why that one has not begun', () => {
    const child = {
      runId: '0199-aaaabbbb',
      workflow: 'clean',
      state: 'running' as const,
      total: 5,
      ended: 2,
      running: 1,
      failed: 1,
      waits: null,
    };
    const facts = { taskRun: taskRun({ state: 'running' }), child };
    expect(textOf(facts)).toBe(
      'It waits for run aaaabbbb of clean, which is running: of its 5 tasks 2 have ended, 1 of them failed; 1 run.',
    );
    const waits = { code: 'run-queued', text: 'the key "a" allows 1 run at a time' };
    expect(textOf({ ...facts, child: { ...child, waits } })).toBe(
      `It waits for run aaaabbbb of clean, which has not begun: ${waits.text}.`,
    );
  });

  it('tells which iteration of a repeated task is under way, and until when the next one rests', () => {
    const parts = { total: 3, begun: 3, ended: 2, failed: 0, atMost: 10 };
    expect(textOf({ taskRun: taskRun({ state: 'running', parts }) })).toBe('Iteration 3 of at most 10 is under way.');
    const reason = { code: 'loop-rests', text: 'It rests before iteration 3.', values: { iteration: 3 } };
    const resting = taskRun({ state: 'retry-wait', retryAt: '2026-01-01T00:00:00.000Z', reason });
    expect(textOf({ taskRun: resting })).toBe('It rests before iteration 3. It may start at 2026-01-01T00:00:00.000Z.');
  });

  it('tells to whom and how often it was sent', () => {
    expect(textOf({ taskRun: taskRun({ state: 'dispatched' }), attempt: attempt({ sendNo: 3 }) })).toContain('sent to alpha 3 times');
  });

  it('tells where a prefetched one waits for room', () => {
    const text = textOf({ taskRun: taskRun({ state: 'dispatched' }), attempt: attempt({ state: 'dispatched', prefetched: true }) });
    expect(text).toContain('prefetched to alpha and waits there for room');
  });

  it('tells what failed and when the retry comes', () => {
    const text = textOf({
      taskRun: taskRun({ state: 'retry-wait', retryAt: '2026-01-01T00:00:00.000Z' }),
      attempt: attempt({ state: 'failed', exitCode: 7 }),
    });
    expect(text).toBe('Attempt 1 failed on alpha with exit code 7. The next attempt may start at 2026-01-01T00:00:00.000Z.');
  });

  it('tells that a stopping one still has processes', () => {
    const text = textOf({ taskRun: taskRun({ state: 'running' }), attempt: attempt({ state: 'stopping', stopReason: 'timed_out' }) });
    expect(text).toContain('exceeded its timeout and is being stopped on alpha');
  });
});

describe('what the text of a reason holds', () => {
  const reasonOf = (facts: Partial<WhyFacts>) =>
    explainTaskRun({ taskRun: taskRun({}), parents: [], needsMode: 'all', attempt: null, ...facts }).reason;

  it('is beside it as values: the parents that are not there yet', () => {
    const parents = [...Array.from({ length: 7 }, (_, index) => parent(`p${index}`, false)), parent('there', true)];
    const { values } = reasonOf({ taskRun: taskRun({ state: 'waiting' }), parents, needsMode: 'any' });
    expect(values).toEqual({
      mode: 'any',
      parents: Array.from({ length: 5 }, (_, index) => ({ key: `p${index}`, state: 'running', needed: 'succeeded' })),
      more: 2,
    });
  });

  it('is beside it as values: the attempt, also where the task run has stored a text', () => {
    const failed = attempt({ state: 'failed', exitCode: 7, detail: 'disk full' });
    const told = { number: 1, node: 'alpha', state: 'failed', exitCode: 7, signal: null, detail: 'disk full' };
    const reason = { code: 'failed', text: 'disk full' };
    expect(reasonOf({ taskRun: taskRun({ state: 'failed', reason }), attempt: failed })).toEqual({ ...reason, values: { attempt: told } });
    expect(reasonOf({ taskRun: taskRun({ state: 'retry-wait', retryAt: '2026-01-01T00:00:00.000Z' }), attempt: failed }).values).toEqual({
      at: '2026-01-01T00:00:00.000Z',
      attempt: told,
    });
  });

  it('are those that were stored with a reason', () => {
    const reason = { code: 'infeasible', text: 'never', values: { more: 3 } };
    expect(reasonOf({ taskRun: taskRun({ state: 'failed', reason }) })).toEqual(reason);
  });
});

describe('how a task run ended', () => {
  it.each([
    [{ state: 'failed' as const, exitCode: 2 }, 'Attempt 1 failed on alpha with exit code 2.'],
    [{ state: 'failed' as const, signal: 'SIGKILL' }, 'Attempt 1 was ended by SIGKILL on alpha.'],
    [{ state: 'lost' as const, detail: 'its node was silent' }, 'Attempt 1 was lost with alpha: its node was silent.'],
    [{ state: 'timed_out' as const }, 'Attempt 1 exceeded its timeout on alpha.'],
  ])('is told from its last attempt %o', (fields, text) => {
    expect(textOf({ taskRun: taskRun({ state: 'failed' }), attempt: attempt(fields) })).toBe(text);
  });

  it('is told for a kept one', () => {
    expect(textOf({ taskRun: taskRun({ state: 'succeeded', keptFrom: 'x' }) })).toContain('kept from an earlier run');
  });
});

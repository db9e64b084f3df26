import { describe, expect, it } from 'vitest';
import { parseWorkflowJson } from './index.js';

const file = (tasks: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  medley: 1,
  project: 'p',
  workflow: 'w',
  tasks,
  ...more,
});
const surroundings = {
  limits: [
    { name: 'gpu-a', project: null, slots: 1 },
    { name: 'gpu-a', project: 'p', slots: 3 },
    { name: 'api', project: null, slots: null },
    { name: 'secret', project: 'other', slots: 1 },
  ],
};
const parse = (document: object) => parseWorkflowJson(document, surroundings);
const limitsOf = (document: object) => {
  const parsed = parse(document);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.normalised.tasks.map(({ limits }) => limits);
};
const errorsOf = (document: object) => {
  const parsed = parse(document);
  return parsed.ok ? [] : parsed.errors.map(({ path, message }) => [path, message]);
};
const slots = (name: string, count: number) => ({ kind: 'limit', name, slots: count });

describe('limits in the workflow file', () => {
  it('are a list of one slot each, or a map of slots; a mutex is a limit of one', () => {
    const tasks = { a: { run: 'x', limits: ['gpu-a', 'api'] }, b: { run: 'x', limits: { 'gpu-a': 2 }, mutex: 'table' }, c: { run: 'x' } };
    const mutex = { kind: 'mutex', name: 'table', slots: 1 };
    expect(limitsOf(file(tasks))).toEqual([[slots('gpu-a', 1), slots('api', 1)], [slots('gpu-a', 2), mutex], undefined]);
  });

  it('of all tasks come beside their own, which win, and 0 leaves one out', () => {
    const tasks = { a: { run: 'x', limits: { 'gpu-a': 3 } }, b: { run: 'x', limits: { api: 0 } } };
    expect(limitsOf(file(tasks, { defaults: { limits: ['api'] } }))).toEqual([[slots('api', 1), slots('gpu-a', 3)], undefined]);
  });

  it('must exist in the project of the file or on the platform, with as many slots', () => {
    const tasks = { a: { run: 'x', limits: ['secret', 'gpu-b'] }, b: { run: 'x', limits: { 'gpu-a': 4 } } };
    expect(errorsOf(file(tasks))).toEqual([
      ['tasks.a.limits.0', 'there is no limit named `secret`'],
      ['tasks.a.limits.1', 'there is no limit named `gpu-b`; did you mean `gpu-a`?'],
      ['tasks.b.limits.gpu-a', '`gpu-a` has 3 slots, which is fewer than 4'],
    ]);
  });
});

describe('concurrency in the workflow file', () => {
  const run = { a: { run: 'x' } };

  it('has defaults: all runs together, one at a time, queued', () => {
    const parsed = parse(file(run, { concurrency: {} }));
    expect(parsed.ok && parsed.normalised.concurrency).toEqual({ key: '', limit: 1, onConflict: 'queue' });
  });

  it('names what has a value when the run is created, and nothing else', () => {
    const key = (text: string) =>
      errorsOf(file(run, { parameters: { day: { type: 'date', default: '2026-01-01' } }, concurrency: { key: text } }));
    expect(key(`x-${'$'}{{ parameters.day }}`)).toEqual([]);
    expect(key(`x-${'$'}{{ parameters.dya }}`)[0]![0]).toBe('concurrency.key');
    expect(key(`x-${'$'}{{ task.key }}`)[0]![1]).toContain('has no value when a run gets its key');
    expect(errorsOf(file(run, { concurrency: { limit: 0 } }))[0]![0]).toBe('concurrency.limit');
    expect(errorsOf(file(run, { concurrency: { onConflict: 'wait' } }))[0]![0]).toBe('concurrency.onConflict');
  });
});

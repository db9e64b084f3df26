import { describe, expect, it } from 'vitest';
import { inEnglish } from '../phrases/index.js';
import { type DagTask, type NeedCondition, validateDag } from './index.js';

const task = (key: string, ...parents: string[]): DagTask => ({
  key,
  needs: { mode: 'all', conditions: Object.fromEntries(parents.map((parent) => [parent, 'succeeded' as NeedCondition])) },
});

describe('validating a DAG', () => {
  it('accepts a diamond', () => {
    expect(validateDag([task('d', 'b', 'c'), task('a'), task('b', 'a'), task('c', 'a')])).toEqual([]);
  });

  it('refuses an empty workflow', () => {
    expect(validateDag([])).toMatchObject([{ kind: 'empty' }]);
  });

  it('tells a cycle as its path', () => {
    const faults = validateDag([task('start'), task('a', 'c', 'start'), task('b', 'a'), task('c', 'b'), task('end', 'c')]);
    expect(faults).toMatchObject([{ kind: 'cycle', path: ['a', 'b', 'c', 'a'] }]);
    expect(inEnglish(faults[0]!.text)).toContain('a → b → c → a');
  });

  it('tells separate cycles separately', () => {
    const faults = validateDag([task('a', 'b'), task('b', 'a'), task('x', 'y'), task('y', 'x')]);
    expect(faults.map((fault) => fault.kind)).toEqual(['cycle', 'cycle']);
  });

  it('tells a self need, and not a second time as a cycle', () => {
    expect(validateDag([task('a', 'a')])).toMatchObject([{ kind: 'self-need', task: 'a' }]);
  });

  it('names the nearest task for an unknown need', () => {
    const faults = validateDag([task('extract'), task('load', 'extarct', 'kafka')]);
    expect(faults).toMatchObject([
      { kind: 'unknown-need', task: 'load', need: 'extarct', nearest: 'extract' },
      { kind: 'unknown-need', task: 'load', need: 'kafka', nearest: null },
    ]);
    expect(inEnglish(faults[0]!.text)).toContain('did you mean `extract`?');
  });

  it('tells a task that is defined twice', () => {
    expect(validateDag([task('a'), task('a')])).toMatchObject([{ kind: 'duplicate-task', task: 'a' }]);
  });

  it('shortens the path of a cycle through ten thousand tasks', () => {
    const ring = Array.from({ length: 10_000 }, (_, index) => task(`t${index}`, `t${(index + 9_999) % 10_000}`));
    const [fault, ...others] = validateDag(ring);
    expect(others).toEqual([]);
    expect(fault).toMatchObject({ kind: 'cycle' });
    expect(inEnglish(fault!.text).length).toBeLessThan(300);
  });
});

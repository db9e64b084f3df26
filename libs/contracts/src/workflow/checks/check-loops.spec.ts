import { describe, expect, it } from 'vitest';
import { parseWorkflowJson } from '../index.js';

const parse = (task: object) =>
  parseWorkflowJson({
    medley: 1,
    project: 'p',
    workflow: 'w',
    parameters: { most: { type: 'integer', default: 3 } },
    tasks: { a: { run: 'x', ...task } },
  });
const faultsOf = (task: object) => {
  const parsed = parse(task);
  return parsed.ok ? [] : parsed.errors.map(({ path, message }) => [path, message]);
};
const loop = (fields: object = {}) => ({ loop: { until: 'outputs.left == 0', max: 10, ...fields } });
const value = (name: string) => `\${{ ${name} }}`;

describe('a repeated task in the workflow file', () => {
  it('has every default filled in', () => {
    const loops = [loop(), loop({ delay: '1m30s', onMax: 'succeed' })].map((task) => {
      const parsed = parse(task);
      return parsed.ok && parsed.normalised.tasks[0]!.loop;
    });
    expect(loops).toEqual([
      { until: 'outputs.left == 0', max: 10, delaySeconds: 0, onMax: 'fail' },
      { until: 'outputs.left == 0', max: 10, delaySeconds: 90, onMax: 'succeed' },
    ]);
  });

  it.each([
    loop({ until: 'outputs.left < parameters.most || loop.index > 4' }),
    { ...loop(), env: { AT: value('loop.index'), FROM: value('has(loop.previous.cursor) ? loop.previous.cursor : ""') } },
    { ...loop(), retry: { attempts: 3 }, timeout: '1m', deadline: '1h', when: 'parameters.most > 1' },
  ])('may say %j', (task) => {
    expect(faultsOf(task)).toEqual([]);
  });

  it.each([
    [{ loop: { until: 'outputs.left == 0' } }, 'tasks.a.loop.max', 'nothing'],
    [{ loop: { max: 3 } }, 'tasks.a.loop.until', 'nothing'],
    [loop({ max: 0 }), 'tasks.a.loop.max', 'outside of'],
    [loop({ max: 1001 }), 'tasks.a.loop.max', 'outside of'],
    [loop({ delay: '5' }), 'tasks.a.loop.delay', 'no unit'],
    [loop({ until: value('outputs.left') }), 'tasks.a.loop.until', 'already'],
    [loop({ until: 'parameters.most' }), 'tasks.a.loop.until', 'a number'],
    [loop({ until: 'outputs.left ==' }), 'tasks.a.loop.until', 'character'],
    [loop({ unti: 'x' }), 'tasks.a.loop.unti', 'did you mean `until`?'],
    [{ ...loop(), map: { over: ['a'] } }, 'tasks.a.loop', 'not both'],
    [{ env: { AT: value('loop.index') } }, 'tasks.a.env.AT', 'nothing of this task'],
    [{ ...loop(), env: { LEFT: value('outputs.left') } }, 'tasks.a.env.LEFT', 'outputs'],
    [{ ...loop(), when: 'loop.index > 1' }, 'tasks.a.when', 'nothing of this task'],
  ])('may not say %j', (task, path, message) => {
    expect(faultsOf(task)).toContainEqual([path, expect.stringContaining(message)]);
  });

  it('is no approval, wait or switch', () => {
    for (const task of [
      { kind: 'approval', by: ['role:operator'] },
      { kind: 'wait-for', for: '1m' },
      { kind: 'switch', on: '"a"', cases: { a: ['b'] } },
    ]) {
      const parsed = parseWorkflowJson({ medley: 1, project: 'p', workflow: 'w', tasks: { a: { ...task, ...loop() }, b: { run: 'x' } } });
      expect(parsed.ok ? [] : parsed.errors.map(({ path }) => path)).toEqual(['tasks.a.loop']);
    }
  });
});

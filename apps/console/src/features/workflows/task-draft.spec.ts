import type { TaskDefinition, WorkflowDefinition } from '@medley/contracts';
import { describe, expect, it } from 'vitest';
import { draftOf, editsBetween, faultsOfTask, newTask, taskOf } from './task-draft.js';

const task = {
  needs: ['a'],
  run: 'echo "$N"',
  env: { N: 1, S: 'x' },
  resources: { cpu: 2, memory: '4GiB' },
  retry: { attempts: 3, backoff: 'exponential' },
  timeout: '30m',
} as TaskDefinition;
const workflow = { medley: 1, project: 'p', workflow: 'w', tasks: {} } as unknown as WorkflowDefinition;
const change = (fields: Partial<ReturnType<typeof draftOf>>) => taskOf({ ...draftOf(task), ...fields }, task);

describe('the draft of a task', () => {
  it('says the task that it came from, types included', () => {
    expect(taskOf(draftOf(task), task)).toEqual(task);
    expect(editsBetween(['tasks', 't'], task, change({}))).toEqual([]);
  });

  it('changes what was changed, as deep as can be', () => {
    expect(editsBetween(['tasks', 't'], task, change({ memory: '8GiB', timeout: '', disk: '1GiB' }))).toEqual([
      { kind: 'set', path: ['tasks', 't', 'resources', 'memory'], value: '8GiB', first: false },
      { kind: 'set', path: ['tasks', 't', 'resources', 'disk'], value: '1GiB', first: false },
      { kind: 'remove', path: ['tasks', 't', 'timeout'] },
    ]);
    expect(editsBetween(['t'], task, change({ cpu: '', memory: '' }))).toEqual([{ kind: 'remove', path: ['t', 'resources'] }]);
  });

  it('moves the script to the key of its kind', () => {
    expect(editsBetween(['t'], task, change({ kind: 'python' }))).toEqual([
      { kind: 'set', path: ['t', 'python'], value: 'echo "$N"', first: false },
      { kind: 'remove', path: ['t', 'run'] },
    ]);
  });

  it('says a switch and a mapped task as they were, and keeps what the form does not show', () => {
    const pick = { kind: 'switch', when: 'true', on: 'parameters.x', cases: { n: ['a', 'b'] }, default: ['c'] } as TaskDefinition;
    expect(taskOf(draftOf(pick), pick)).toEqual(pick);
    const mapped = {
      run: 'x',
      map: { over: [1, 2], as: 'n', parallel: 3, onFailure: 'stop' },
      limits: ['gpu'],
    } as unknown as TaskDefinition;
    expect(taskOf(draftOf(mapped), mapped)).toEqual(mapped);
    expect(taskOf({ ...draftOf(mapped), over: 'north, east' }, mapped).map).toMatchObject({ over: ['north', 'east'] });
  });

  it('says a wait as it was, and what it waits for instead', () => {
    const wait = { kind: 'wait-for', http: { url: 'https://x/', headers: { a: 'b' } }, every: '5s', deadline: '6h' } as TaskDefinition;
    expect(taskOf(draftOf(wait), wait)).toEqual(wait);
    const instead = taskOf({ ...draftOf(wait), url: '', every: '', for: '10m' }, wait);
    expect(instead).toEqual({ kind: 'wait-for', for: '10m', deadline: '6h' });
  });

  it('says a wait for a file as it was, and that it does not say where the file is', () => {
    const wait = { kind: 'wait-for', file: { path: '/data/in/x', node: 'edge-1' }, every: '5s' } as TaskDefinition;
    const labelled = { kind: 'wait-for', file: { path: '/data/in/x' }, labels: 'zone = edge', pool: 'edge' } as TaskDefinition;
    for (const task of [wait, labelled]) expect(taskOf(draftOf(task), task)).toEqual(task);
    const faultsOf = (task: Record<string, unknown>) => [...faultsOfTask('t', task, workflow).keys()];
    expect(faultsOf(taskOf({ ...draftOf(wait), fileNode: '' }, wait))).toEqual(['file']);
    expect(faultsOf(taskOf({ ...draftOf(wait), filePath: 'x' }, wait))).toEqual(['file.path']);
  });

  it('says a repeated task as it was, and nothing of it without its condition', () => {
    const loop = { run: 'x', loop: { until: 'outputs.left == 0', max: 5, delay: '10s', onMax: 'succeed' } } as TaskDefinition;
    expect(taskOf(draftOf(loop), loop)).toEqual(loop);
    expect(taskOf({ ...draftOf(loop), loopUntil: '' }, loop)).toEqual({ run: 'x' });
    expect([...faultsOfTask('t', taskOf({ ...draftOf(loop), loopMax: '' }, loop), workflow).keys()]).toEqual(['loop.max']);
  });

  it('says a sub-workflow as it was, and values of every type', () => {
    const parameters = { day: '2026-01-01', parts: 4, all: true, code: '007', number: '7', regions: ['a', 'b'] };
    const outputs = { rows: 'tasks.load.outputs.rows' };
    const sub = {
      kind: 'workflow',
      workflow: 'clean',
      version: 3,
      parameters,
      outputs,
      retry: { attempts: 2 },
      deadline: '6h',
    } as TaskDefinition;
    expect(taskOf(draftOf(sub), sub)).toEqual(sub);
    const typed = { ...draftOf(sub), version: 'latest', parameters: [{ name: 'parts', value: '5' }], env: [{ name: 'A', value: 'b' }] };
    expect(taskOf(typed, sub)).toEqual({ ...sub, version: 'latest', parameters: { parts: 5 } });
  });

  it('names tasks that it needs only through others', () => {
    const tasks = { a: { run: 'x' }, b: { run: 'x', needs: ['a'] } } as WorkflowDefinition['tasks'];
    expect([...faultsOfTask('t', { run: 'x', needs: ['b'], when: 'tasks.a.state == "failed"' }, { ...workflow, tasks })]).toEqual([]);
  });

  it.each(['shell', 'python', 'node', 'http', 'noop', 'approval', 'wait-for', 'switch'] as const)(
    'of a new %s task is without faults',
    (kind) => {
      expect([...faultsOfTask('t', newTask(kind), workflow)]).toEqual([]);
    },
  );

  it('is checked like the file, by field', () => {
    const faults = faultsOfTask('t', change({ memory: '4', attempts: 'x', script: '' }), workflow);
    expect([...faults.keys()].sort()).toEqual(['resources.memory', 'retry.attempts', 'run']);
    expect(faults.get('resources.memory')).toMatchObject({ message: '`4` has no unit' });
  });
});

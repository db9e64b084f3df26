import { describe, expect, it } from 'vitest';
import { parseWorkflowJson } from '../index.js';

const parse = (task: object) => parseWorkflowJson({ medley: 1, project: 'p', workflow: 'w', tasks: { a: task } });
const faultsOf = (task: object) => {
  const parsed = parse(task);
  return parsed.ok ? [] : parsed.errors.map(({ path, message }) => [path, message]);
};

describe('an approval in the workflow file', () => {
  it('names who may decide, and holds no resources', () => {
    const parsed = parse({ kind: 'approval', by: ['role:operator', 'user:ada', 'group:finance'], deadline: '2d', onDeadline: 'skip' });
    expect(parsed.ok && parsed.normalised.tasks[0]).toMatchObject({
      kind: 'approval',
      approval: { by: ['role:operator', 'user:ada', 'group:finance'] },
      deadlineSeconds: 172_800,
      onDeadline: 'skip',
      resources: { cpuMillis: 0 },
    });
  });

  it.each([
    [{ kind: 'approval' }, 'tasks.a'],
    [{ kind: 'approval', by: ['operator'] }, 'tasks.a.by.0'],
    [{ kind: 'approval', by: ['role:owner'] }, 'tasks.a.by.0'],
    [{ kind: 'approval', by: ['user:ada'], resources: { cpu: 1 } }, 'tasks.a.resources'],
    [{ run: 'true', by: ['user:ada'] }, 'tasks.a.by'],
    [{ run: 'true', onDeadline: 'skip' }, 'tasks.a.onDeadline'],
    [{ run: 'true', deadline: '2' }, 'tasks.a.deadline'],
  ])('is refused where it stands: %j', (task, path) => {
    expect(faultsOf(task).map(([where]) => where)).toEqual([path]);
  });

  it('gives any task a deadline that fails it unless told otherwise', () => {
    const parsed = parse({ run: 'true', deadline: '90s' });
    expect(parsed.ok && parsed.normalised.tasks[0]).toMatchObject({ deadlineSeconds: 90, onDeadline: 'fail' });
  });
});

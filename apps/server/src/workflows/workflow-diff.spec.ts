import type { WorkflowDefinition } from '@medley/contracts';
import { describe, expect, it } from 'vitest';
import { diffDefinitions, differingPaths } from './workflow-diff.js';

const definition = (fields: object): WorkflowDefinition =>
  ({ medley: 1, project: 'p', workflow: 'w', tasks: { a: { run: 'true' } }, ...fields }) as WorkflowDefinition;

describe('the difference of two definitions', () => {
  it('is nothing when only the order of keys differs', () => {
    const before = definition({ tasks: { a: { run: 'x', env: { A: '1', B: '2' } } } });
    const after = definition({ tasks: { a: { env: { B: '2', A: '1' }, run: 'x' } } });
    expect(diffDefinitions(before, after)).toEqual([]);
  });

  it('names tasks that come, go and change, and where they change', () => {
    const before = definition({ tasks: { a: { run: 'x', resources: { cpu: 1 } }, b: { run: 'y' } } });
    const after = definition({ tasks: { a: { run: 'x', resources: { cpu: 2 } }, c: { run: 'z' } } });
    expect(diffDefinitions(before, after)).toEqual([
      { kind: 'task', name: 'a', action: 'update', paths: ['resources.cpu'], note: null },
      { kind: 'task', name: 'c', action: 'create', paths: [], note: null },
      { kind: 'task', name: 'b', action: 'remove', paths: [], note: null },
    ]);
  });

  it('names final tasks, and those that became final', () => {
    const before = definition({ tasks: { a: { run: 'x' }, b: { run: 'y' } } });
    const after = definition({ tasks: { a: { run: 'x' } }, finally: { b: { run: 'y' }, c: { run: 'z' } } });
    expect(diffDefinitions(before, after)).toMatchObject([
      { name: 'b', action: 'update', paths: ['finally'] },
      { name: 'c', action: 'create' },
    ]);
  });

  it('tells what changes around the tasks', () => {
    const [change] = diffDefinitions(definition({}), definition({ description: 'new', defaults: { timeout: '5m' } }));
    expect(change).toMatchObject({ kind: 'workflow', action: 'update', paths: ['description', 'defaults'] });
  });

  it('leaves schedules to their own', () => {
    expect(diffDefinitions(definition({}), definition({ schedules: { nightly: { cron: '0 0 * * *' } } }))).toEqual([]);
  });

  it('takes a list for one value', () => {
    expect(differingPaths({ needs: ['a', 'b'] }, { needs: ['b', 'a'] })).toEqual(['needs']);
  });
});

import { workflowJsonSchema } from '@medley/contracts';
import { describe, expect, it } from 'vitest';
import { placeOf } from './key-path.js';
import { type JsonSchema, keysAt, valuesAt } from './schema-walk.js';

const schema = workflowJsonSchema() as JsonSchema;
const keys = (...path: string[]) => keysAt(schema, path).map(({ key }) => key);

describe('the place of the cursor', () => {
  it('is the keys above by indentation', () => {
    expect(placeOf('tasks:\n  extract:\n    run: ls\n    ret')).toEqual({
      path: ['tasks', 'extract'],
      key: null,
      typed: 'ret',
      isValue: false,
    });
    expect(placeOf('tasks:\n  extract:\n    retry:\n      backoff: ex')).toEqual({
      path: ['tasks', 'extract', 'retry'],
      key: 'backoff',
      typed: 'ex',
      isValue: true,
    });
    expect(placeOf('medley: 1\npro')).toMatchObject({ path: [], typed: 'pro' });
  });

  it('is nowhere within a comment or a script', () => {
    expect(placeOf('tasks:\n  # no')).toBeNull();
    expect(placeOf('    echo "$x')).toBeNull();
  });
});

describe('completion', () => {
  it('knows the keys of the file, of a task, of its retry and of a schedule', () => {
    expect(keys()).toEqual(expect.arrayContaining(['medley', 'project', 'workflow', 'tasks', 'schedules']));
    expect(keys('tasks', 'anything')).toEqual(expect.arrayContaining(['run', 'needs', 'timeout', 'resources']));
    expect(keys('tasks', 'anything', 'retry')).toEqual(expect.arrayContaining(['attempts', 'backoff']));
    expect(keys('schedules', 'nightly')).toEqual(expect.arrayContaining(['cron', 'zone']));
  });

  it('knows the values of a choice', () => {
    expect(valuesAt(schema, ['tasks', 'anything', 'kind'])).toEqual(expect.arrayContaining(['shell', 'python', 'http']));
    expect(valuesAt(schema, ['schedules', 'nightly', 'enabled'])).toEqual(['true', 'false']);
  });
});

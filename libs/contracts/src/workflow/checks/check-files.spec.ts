import { describe, expect, it } from 'vitest';
import { parseWorkflowJson } from '../index.js';

const parse = (files: unknown, fields: object = { run: 'x' }, needs: unknown = ['extract']) =>
  parseWorkflowJson({
    medley: 1,
    project: 'p',
    workflow: 'w',
    tasks: {
      extract: { run: 'x', files: { keep: ['*.parquet'] } },
      middle: { run: 'x', needs: ['extract'] },
      other: { run: 'x', files: { keep: ['a'] } },
      load: { ...fields, needs, files },
    },
  });
const faultsOf = (...given: Parameters<typeof parse>) => {
  const parsed = parse(...given);
  return parsed.ok ? [] : parsed.errors.map(({ path, message }) => [path, message]);
};

describe('working files in the workflow file', () => {
  it('have every default filled in', () => {
    const parsed = parse({ fetch: [{ from: 'extract' }, { from: 'extract', patterns: ['a*'], to: 'in/a' }] });
    expect(parsed.ok && parsed.normalised.tasks.map(({ files }) => files)).toEqual([
      { keep: ['*.parquet'], fetch: [] },
      undefined,
      { keep: ['a'], fetch: [] },
      {
        keep: [],
        fetch: [
          { from: 'extract', patterns: ['**'], to: '' },
          { from: 'extract', patterns: ['a*'], to: 'in/a' },
        ],
      },
    ]);
  });

  it('may be those of a task further above', () => {
    expect(faultsOf({ fetch: [{ from: 'extract' }] }, { run: 'x' }, ['middle'])).toEqual([]);
  });

  it.each([
    [{}, 'tasks.load.files', 'neither'],
    [{ keep: ['../x'] }, 'tasks.load.files.keep.0', 'not allowed'],
    [{ keep: ['/etc/passwd'] }, 'tasks.load.files.keep.0', 'not allowed'],
    [{ keep: [] }, 'tasks.load.files.keep', ''],
    [{ kept: ['a'] }, 'tasks.load.files.kept', 'unknown key `kept`'],
    [{ fetch: [{ from: 'extract', to: '../in' }] }, 'tasks.load.files.fetch.0.to', 'not allowed'],
    [{ fetch: [{ from: 'extract', too: 'in' }] }, 'tasks.load.files.fetch.0.too', '`to`'],
    [{ fetch: [{ from: 'extrac' }] }, 'tasks.load.files.fetch.0.from', 'extract'],
    [{ fetch: [{ from: 'other' }] }, 'tasks.load.files.fetch.0.from', 'other'],
    [{ fetch: [{ from: 'load' }] }, 'tasks.load.files.fetch.0.from', 'load'],
  ])('may not say %j', (files, path, message) => {
    expect(faultsOf(files)).toContainEqual([path, expect.stringContaining(message)]);
  });

  it('are not fetched from a task that keeps none', () => {
    expect(faultsOf({ fetch: [{ from: 'middle' }] }, { run: 'x' }, ['middle'])).toEqual([
      ['tasks.load.files.fetch.0.from', expect.stringContaining('keeps no files')],
    ]);
  });

  it.each([
    { kind: 'approval', by: ['role:operator'] },
    { kind: 'wait-for', for: '1m' },
    { kind: 'switch', on: '"a"', cases: { a: ['middle'] } },
    { kind: 'workflow', workflow: 'sub' },
    { kind: 'http', url: 'http://localhost' },
    { kind: 'noop' },
  ])('are refused by a task of %j', (fields) => {
    expect(faultsOf({ keep: ['a'] }, fields)).toContainEqual(['tasks.load.files', expect.stringContaining(fields.kind)]);
  });
});

import { describe, expect, it } from 'vitest';
import { parseWorkflowJson } from '../index.js';

const workflows = [
  {
    name: 'clean-raw',
    latest: 3,
    versions: [
      {
        version: 3,
        parameters: { day: { type: 'date' as const }, parts: { type: 'integer' as const, default: 4, max: 9 } },
        tasks: ['load', 'check'],
      },
    ],
  },
  {
    name: 'nightly',
    latest: 1,
    versions: [{ version: 1, parameters: { day: { type: 'date' as const, default: `\${{ schedule.date }}` } }, tasks: [] }],
  },
  { name: 'other', latest: 1, versions: [] },
];
const parse = (task: object, surroundings: object = { workflows }) =>
  parseWorkflowJson(
    { medley: 1, project: 'p', workflow: 'w', parameters: { day: { type: 'date', default: '2026-01-01' } }, tasks: { a: task } },
    surroundings,
  );
const faultsOf = (task: object, surroundings?: object) => {
  const parsed = parse(task, surroundings);
  return parsed.ok ? [] : parsed.errors.map(({ path, message }) => [path, message]);
};
const run = (fields: object = {}) => ({ kind: 'workflow', workflow: 'clean-raw', parameters: { day: '2026-02-01' }, ...fields });

describe('a task of kind workflow', () => {
  it('has every default filled in, and neither retry nor limits of all tasks', () => {
    const document = {
      ...{ medley: 1, project: 'p', workflow: 'w' },
      defaults: { retry: { attempts: 5 }, limits: ['api'], timeout: '1h' },
      tasks: { a: run(), b: run({ version: 3, retry: { attempts: 2 } }) },
    };
    const parsed = parseWorkflowJson(document, { workflows });
    expect(parsed.ok && parsed.normalised.tasks).toMatchObject([
      { subWorkflow: { workflow: 'clean-raw', version: null, parameters: { day: '2026-02-01' } }, retry: { attempts: 1 } },
      { subWorkflow: { version: 3 }, retry: { attempts: 2 } },
    ]);
    expect(parsed.ok && parsed.normalised.tasks[0]!.limits).toBeUndefined();
  });

  it.each([
    run({ version: 'latest', outputs: { rows: 'tasks.load.outputs.rows', how: 'tasks.check.state' } }),
    run({ parameters: { day: `\${{ parameters.day }}`, parts: 9 } }),
    run({ when: '1 < 2', deadline: '6h', onDeadline: 'skip', priority: 5, map: { over: ['a'] } }),
  ])('may say %j', (task) => {
    expect(faultsOf(task)).toEqual([]);
  });

  it.each([
    [{ kind: 'workflow' }, 'tasks.a', 'needs `workflow`'],
    [run({ workflow: 'clean-row' }), 'tasks.a.workflow', 'did you mean `clean-raw`?'],
    [run({ workflow: 'w' }), 'tasks.a.workflow', 'may not run itself'],
    [run({ version: 2 }), 'tasks.a.version', 'no version 2'],
    [run({ version: 'newest' }), 'tasks.a.version', 'newest'],
    [run({ parameters: {} }), 'tasks.a', 'asks for `day`'],
    [run({ parameters: { day: 'tomorrow' } }), 'tasks.a.parameters.day', 'tomorrow'],
    [run({ parameters: { day: '2026-01-01', parts: 10 } }), 'tasks.a.parameters.parts', '10'],
    [run({ parameters: { day: '2026-01-01', part: 1 } }), 'tasks.a.parameters.part', 'did you mean `parts`?'],
    [run({ parameters: { day: `\${{ parameters.dya }}` } }), 'tasks.a.parameters.day', 'did you mean `day`?'],
    [run({ parameters: { day: `\${{ secrets.day }}` } }), 'tasks.a.parameters.day', 'secrets.day'],
    [run({ outputs: { rows: 'json.rows' } }), 'tasks.a.outputs.rows', 'json'],
    [run({ outputs: { rows: 'tasks.lod.outputs.rows' } }), 'tasks.a.outputs.rows', 'did you mean `load`?'],
    [run({ workflow: 'nightly', parameters: {} }), 'tasks.a', 'asks for a schedule'],
    [run({ limits: ['api'] }), 'tasks.a.limits', 'no node runs it'],
    [run({ pool: 'etl' }), 'tasks.a.pool', 'no node runs it'],
    [run({ env: { A: '1' } }), 'tasks.a.env', 'no node runs it'],
    [run({ run: 'true' }), 'tasks.a.run', 'no meaning'],
    [{ run: 'true', workflow: 'clean-raw' }, 'tasks.a.workflow', 'no meaning'],
    [{ kind: 'http', url: 'https://x.example', outputs: { rows: 'tasks.load.outputs.rows' } }, 'tasks.a.outputs.rows', 'tasks'],
  ])('may not say %j', (task, path, message) => {
    expect(faultsOf(task)).toEqual([[path, expect.stringContaining(message)]]);
  });

  it('is checked for its form alone where the file is not applied', () => {
    expect(faultsOf(run({ workflow: 'anything' }), {})).toEqual([]);
  });
});

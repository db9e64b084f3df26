import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseWorkflowJson, parseWorkflowYaml, workflowToYaml } from './index.js';

const churn = `
medley: 1
project: growth
workflow: churn-daily
description: Daily churn features
parameters:
  day: { type: date, default: "\${{ schedule.date }}" }
  regions: { type: list, items: string, default: [north, east] }
defaults: { pool: etl, timeout: 30m, retry: { attempts: 3, delay: 10s, backoff: exponential, maxDelay: 5m } }
schedules:
  nightly:
    cron: "30 2 * * *"
    zone: Asia/Shanghai
    misfire: { policy: run-all, max: 3 }
    parameters: { regions: [north] }
tasks:
  extract:
    labels: "os = linux and zone in (dc1, dc2)"
    resources: { cpu: 2, memory: 4GiB, disk: 10GiB }
    env: { DAY: "\${{ parameters.day }}", N: 3 }
    run: ./extract.sh "$DAY" > part.parquet
  check:
    needs: [extract]
    retry: { attempts: 1 }
    python: |
      import os
      print(os.environ["DAY"])
  join: { kind: noop, needs: { check: done } }
  page: { kind: http, needs: { any: { extract: failed, check: failed } }, method: POST, url: "https://ops.example/hook", expectStatus: 204 }
`;

const base = (tasks: string, more = '') => `medley: 1\nproject: p\nworkflow: w\n${more}tasks:\n${tasks}\n`;

function errorsOf(text: string) {
  const parsed = parseWorkflowYaml(text);
  if (parsed.ok) throw new Error('errors were expected');
  return parsed.errors;
}

function parsedOf(text: string) {
  const parsed = parseWorkflowYaml(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed;
}

describe('a valid workflow file', () => {
  it('is resolved with defaults, units and short forms', () => {
    const { normalised } = parsedOf(churn);
    const [extract, check, join, page] = normalised.tasks;
    expect(extract).toEqual({
      key: 'extract',
      position: 0,
      kind: 'shell',
      needs: { mode: 'all', conditions: {} },
      script: './extract.sh "$DAY" > part.parquet',
      http: null,
      env: { DAY: '${{ parameters.day }}', N: '3' },
      resources: { cpuMillis: 2000, memoryMib: 4096, diskMib: 10_240, gpuCount: 0 },
      labels: 'os = linux and zone in (dc1, dc2)',
      retry: { attempts: 3, delaySeconds: 10, backoff: 'exponential', maxDelaySeconds: 300 },
      timeoutSeconds: 1800,
      priority: 0,
      pool: 'etl',
      onLeaseLost: 'finish',
    });
    expect(check).toMatchObject({
      kind: 'python',
      needs: { mode: 'all', conditions: { extract: 'succeeded' } },
      retry: { attempts: 1, delaySeconds: 10 },
    });
    expect(join).toMatchObject({ kind: 'noop', needs: { conditions: { check: 'done' } }, resources: { cpuMillis: 0 }, script: null });
    expect(page).toMatchObject({
      needs: { mode: 'any', conditions: { extract: 'failed', check: 'failed' } },
      http: { method: 'POST', url: 'https://ops.example/hook', headers: {}, body: null, expectStatus: [204] },
      resources: { cpuMillis: 100 },
    });
    expect(normalised.schedules).toEqual([
      {
        name: 'nightly',
        calendar: null,
        rule: { kind: 'cron', cron: '30 2 * * *', dialect: 'unix', gap: null, overlapHour: null },
        zone: 'Asia/Shanghai',
        start: null,
        end: null,
        jitterSeconds: 0,
        overlap: 'allow',
        parameters: { regions: ['north'] },
        misfire: { policy: 'run-all', max: 3 },
        enabled: true,
      },
    ]);
  });

  it('is the same from JSON, and from its own rendering as YAML', () => {
    const { definition, normalised } = parsedOf(churn);
    expect(parseWorkflowJson(JSON.parse(JSON.stringify(definition)))).toEqual({ ok: true, definition, normalised });
    expect(parseWorkflowYaml(workflowToYaml(definition))).toEqual({ ok: true, definition, normalised });
    expect(parseWorkflowYaml(JSON.stringify(definition))).toEqual({ ok: true, definition, normalised });
  });

  it('is the example of the documentation', () => {
    const page = readFileSync(new URL('../../../../docs/workflow-file.md', import.meta.url), 'utf8');
    const example = /```yaml\n([\s\S]*?)```/.exec(page)![1]!;
    expect(parsedOf(example).normalised.tasks.map((task) => task.kind)).toEqual(['shell', 'python', 'noop', 'http', 'shell']);
  });

  it('adds the need of its switch to a task in a case', () => {
    const { tasks } = parsedOf(base('  p: { kind: switch, on: "1", cases: { y: [c] }, default: [c] }\n  c: { run: x }')).normalised;
    expect(tasks[1]).toMatchObject({ branch: { of: 'p', cases: ['y', ''] }, needs: { conditions: { p: 'succeeded' } } });
  });

  it('has its final tasks last', () => {
    const { tasks } = parsedOf(base('  a: { run: x }\nfinally:\n  z: { run: y, needs: { a: failed } }')).normalised;
    expect(tasks.map(({ key, position, isFinal }) => [key, position, isFinal ?? false])).toEqual([
      ['a', 0, false],
      ['z', 1, true],
    ]);
  });

  it('may share parts by anchors', () => {
    const { normalised } = parsedOf(base('  a: { run: x, env: &e { K: v } }\n  b: { run: y, env: *e }'));
    expect(normalised.tasks[1]!.env).toEqual({ K: 'v' });
  });
});

describe('a fault of a workflow file', () => {
  it.each([
    ['an unknown key', base('  a: { run: x, timeuot: 5m }'), 5, 16, 'did you mean `timeout`?'],
    ['a key of a later version', base('  a:\n    run: x\n    image: [x]'), 7, 5, '`image` is not available yet in this version'],
    ['a later root key', base('  a: { run: x }', 'alerts: []\n'), 4, 1, '`alerts` is not available yet'],
    [
      'an unknown key of an upstream',
      base('  a: { run: x }', 'schedules: { s: { upstream: [{ workflow: x, hour: all }] } }\n'),
      4,
      45,
      'did you mean `hours`?',
    ],
    [
      'a final task that others need',
      base('  a: { run: x, needs: [z] }\nfinally:\n  z: { run: y }'),
      5,
      24,
      'only after all tasks have ended',
    ],
    ['a name in both sections', base('  a: { run: x }\nfinally:\n  a: { run: y }'), 7, 3, '`tasks` has a task `a` as well'],
    ['an unknown key of a final task', base('  a: { run: x }\nfinally:\n  z: { run: y, nedes: [a] }'), 7, 16, 'did you mean `needs`?'],
    [
      'a final task that needs none that exists',
      base('  a: { run: x }\nfinally:\n  z: { run: y, needs: { aa: failed } }'),
      7,
      25,
      'did you mean `a`?',
    ],
    ['an unknown key of a map', base('  a: { run: x, map: { over: [1], paralel: 2 } }'), 5, 34, 'did you mean `parallel`?'],
    ['a map over nothing', base('  a: { run: x, map: { parallel: 2 } }'), 5, 21, 'nothing is not a text'],
    ['the item of a task that is not mapped', base('  a: { run: x, env: { A: "${{ map.item }}" } }'), 5, 26, 'nothing of this task'],
    ['another name for the item', base('  a: { run: x, map: { over: [1], as: n }, env: { A: "${{ map.item }}" } }'), 5, 53, '`map.n`'],
    ['a condition in braces', base('  a: { run: x, when: "${{ true }}" }'), 5, 22, 'an expression already'],
    ['a condition that is no condition', base('  a: { run: x, when: "1 + 1" }'), 5, 22, 'true or false'],
    [
      'a condition on a task that comes later',
      base('  a: { run: x, when: tasks.b.state == "failed" }\n  b: { run: y }'),
      5,
      22,
      'needs: [b]',
    ],
    [
      'a switch without cases',
      base('  a: { kind: switch, on: parameters.x }', 'parameters: { x: { type: string } }\n'),
      6,
      6,
      'needs `cases`',
    ],
    [
      'a case of a task that does not exist',
      base('  a: { kind: switch, on: "true", cases: { y: [bb] } }\n  b: { run: x }'),
      5,
      47,
      'did you mean `b`?',
    ],
    [
      'a task in the cases of two switches',
      base('  a: { kind: switch, on: "1", cases: { y: [c] } }\n  b: { kind: switch, on: "1", cases: { y: [c] } }\n  c: { run: x }'),
      6,
      44,
      'a case of `a` as well',
    ],
    [
      'a case of a task that needs any',
      base('  a: { kind: switch, on: "1", cases: { y: [c] } }\n  b: { run: y }\n  c: { run: x, needs: { any: [b] } }'),
      5,
      44,
      'without `a`',
    ],
    [
      'cases that lead in a circle',
      base('  a: { kind: switch, needs: [c], on: "1", cases: { y: [c] } }\n  c: { run: x }'),
      5,
      30,
      'in a circle',
    ],
    ['a switch on a node', base('  a: { kind: switch, on: "1", cases: {}, pool: gpu }'), 5, 42, 'no node runs it'],
    ['a later kind', base('  a: { kind: sql }'), 5, 14, '`sql` is not available yet'],
    ['a kind that does not exist', base('  a: { kind: shel, run: x }'), 5, 14, 'did you mean `shell`?'],
    ['a duration without unit', base('  a: { run: x, timeout: 30 }'), 5, 25, '`30` has no unit'],
    ['a size without unit', base('  a: { run: x, resources: { memory: 4 } }'), 5, 37, '`4` has no unit'],
    ['cores as text', base('  a: { run: x, resources: { cpu: 500m } }'), 5, 34, 'is not a number of cores'],
    ['a bad labels expression', base('  a: { run: x, labels: "os = " }'), 5, 24, 'labels expression cannot be read'],
    ['a value expression in a script', base('  a: { run: "echo ${{ parameters.x }}" }'), 5, 13, '`env`'],
    [
      'an unknown parameter',
      base('  a: { run: x, env: { D: "${{ parameters.dya }}" } }', 'parameters: { day: { type: string, default: x } }\n'),
      6,
      26,
      'did you mean `day`?',
    ],
    ['a secret in `when`', base('  a: { run: x, when: "secrets.lake == 1" }'), 5, 22, 'only in `env`'],
    [
      'a secret in what the server asks',
      base('  a: { kind: wait-for, http: { url: "https://x/${{ secrets.lake }}" } }'),
      5,
      37,
      'only in `env`',
    ],
    ['a secret in `map.over`', base('  a: { run: x, map: { over: "${{ secrets.lake }}" } }'), 5, 29, 'only in `env`'],
    ['an unknown need', base('  extract: { run: x }\n  b: { run: y, needs: [extarct] }'), 6, 24, 'did you mean `extract`?'],
    ['the second of two needs', base('  a: { run: x }\n  b: { run: y, needs: [a, aa] }'), 6, 27, 'needs `aa`'],
    ['an unknown need in a map', base('  a: { run: x }\n  b: { run: y, needs: { a: done, c: done } }'), 6, 34, 'needs `c`'],
    ['an unknown need under any', base('  a: { run: x }\n  b: { run: y, needs: { any: [a, c] } }'), 6, 34, 'needs `c`'],
    ['a task that needs itself', base('  a: { run: x }\n  b: { run: y, needs: [a, b] }'), 6, 27, 'needs itself'],
    ['a cycle', base('  a: { run: x, needs: [b] }\n  b: { run: y, needs: [a] }'), 5, 24, 'a → b → a'],
    ['a bad need condition', base('  a: { run: x }\n  b: { run: y, needs: { a: suceeded } }'), 6, 28, 'did you mean `succeeded`?'],
    ['a duplicate key', base('  a: { run: x }\n  a: { run: y }'), 6, 3, 'stands here twice'],
    ['two scripts', base('  a: { run: x, python: y }'), 5, 6, '`run` and `python`'],
    ['no work', base('  a: { timeout: 5m }'), 5, 6, 'does nothing'],
    ['an http key in a shell task', base('  a: { kind: shell, run: x, url: "http://h" }'), 5, 29, '`url` has no meaning in a shell task'],
    ['a reserved variable', base('  a: { run: x, env: { MEDLEY_FENCE: 1 } }'), 5, 23, 'cannot be a name'],
    ['a bad cron', base('  a: { run: x }', 'schedules: { s: { cron: "0 25 * * *" } }\n'), 4, 25, 'cron, hour: 25 is outside of 0 to 23'],
    ['a date that never comes', base('  a: { run: x }', 'schedules: { s: { cron: "0 0 30 2 *" } }\n'), 4, 25, 'never fires'],
    ['an unknown zone', base('  a: { run: x }', 'schedules: { s: { cron: "0 0 * * *", zone: Mars/X } }\n'), 4, 44, 'is not a known zone'],
    [
      'a default of another type',
      base('  a: { run: x }', 'parameters: { n: { type: integer, default: x } }\n'),
      4,
      44,
      'is not a whole number',
    ],
    [
      'a default that can never have its type',
      base('  a: { run: x }', 'parameters: { n: { type: integer, default: "${{ run.id }}" } }\n'),
      4,
      44,
      'can never be a whole number',
    ],
    [
      "a schedule's value that can never have its type",
      base(
        '  a: { run: x }',
        'parameters: { d: { type: date } }\nschedules: { s: { cron: "0 0 * * *", parameters: { d: "on ${{ schedule.date }}" } } }\n',
      ),
      5,
      55,
      'can never be a date',
    ],
    [
      'a whole number that is too large',
      base('  a: { run: x }', 'parameters: { n: { type: integer, default: 99999999999999999999 } }\n'),
      4,
      44,
      'at most 9007199254740991',
    ],
    ['a priority that is too large', base('  a: { run: x, priority: 99999999999999999999 }'), 5, 26, 'from -1000 to 1000'],
    [
      'a list that is too long',
      base(`  a: { run: x }\n  b: { run: y, needs: [${'a, '.repeat(10_001)}] }`),
      6,
      23,
      'it has 10001 entries at most 10000',
    ],
    ['a task named any', base('  any: { run: x }'), 5, 3, '`any` cannot name a task'],
    ['an empty any', base('  a: { run: x, needs: { any: [] } }'), 5, 30, 'names no task'],
  ])('%s is told with line, column and remedy', (_, text, line, column, message) => {
    const [error, ...others] = errorsOf(text);
    expect(others.map((other) => other.message)).toEqual([]);
    expect(error).toMatchObject({ line, column });
    expect(`${error!.message} ${error!.expected ?? ''}`).toContain(message);
  });

  it('in the cron of a schedule does not hide one in its zone', () => {
    const both = errorsOf(base('  a: { run: x }', 'schedules: { s: { cron: "0 25 * * *", zone: Mars/X }, t: { zone: Mars/Y } }\n'));
    expect(both.map(({ path, column }) => [path, column])).toEqual([
      ['schedules.s.cron', 25],
      ['schedules.s.zone', 45],
      ['schedules.t', 58],
      ['schedules.t.zone', 66],
    ]);
  });

  it('in what starts a schedule names what may, and where', () => {
    const text = base(
      '  a: { run: x }',
      'parameters: { day: { type: date } }\nschedules:\n  a: { cron: "0 3 * * *", webhook: {}, parameters: { day: 2026-01-01 } }\n  b: { webhook: { payload: { dya: day }, per: 5, tolerance: 3d }, misfire: { policy: skip } }\n',
    );
    expect(errorsOf(text).map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'schedules.a.webhook',
        'schedules.b.webhook.payload.dya',
        'schedules.b.webhook.per',
        'schedules.b.webhook.tolerance',
        'schedules.b.misfire',
      ]),
    );
  });

  it('tells a pool that does not exist with its place, beside all others', () => {
    const text = base('  a: { run: x, pool: fsat }\n  b: { run: y, timeout: 30 }', 'defaults: { pool: gone }\n');
    const parsed = parseWorkflowYaml(text, { pools: ['default', 'fast'] });
    expect(parsed).toMatchObject({
      ok: false,
      errors: [
        { path: 'defaults.pool', line: 4, column: 19, message: 'there is no pool named `gone`' },
        {
          path: 'tasks.a.pool',
          line: 6,
          column: 22,
          message: 'there is no pool named `fsat`; did you mean `fast`?',
          expected: 'one of: default, fast',
        },
        { path: 'tasks.b.timeout', line: 7 },
      ],
    });
    expect(parseWorkflowYaml(base('  a: { run: x }'), { pools: ['fast'] })).toMatchObject({
      ok: false,
      errors: [{ path: 'tasks.a', line: 5 }],
    });
  });

  it('comes with all others, in the order of the text', () => {
    const errors = errorsOf(
      'medley: 2\nprojct: p\nworkflow: W\ntasks:\n  a: { run: x, timeout: 30, needs: [z] }\n  b: { kind: sql, cpu: 1 }\n',
    );
    expect(errors.map((error) => error.path)).toEqual([
      'project',
      'medley',
      'projct',
      'workflow',
      'tasks.a.timeout',
      'tasks.a.needs.0',
      'tasks.b.kind',
      'tasks.b.cpu',
    ]);
  });

  it('of the syntax is told with its place', () => {
    expect(errorsOf('medley: 1\ntasks: [a\nb: {')[0]).toHaveProperty('line');
    expect(
      errorsOf('a: *nothing')
        .map((error) => error.message)
        .join(),
    ).toMatch(/nothing/);
    expect(errorsOf('a: 1\n---\nb: 2')[0]!.message).toContain('several documents');
    expect(errorsOf('')[0]!.message).toContain('no workflow');
    expect(errorsOf('just text')[0]!.message).toContain('no workflow');
  });

  it('in JSON has no line but the same words', () => {
    const parsed = parseWorkflowJson({ medley: 1, project: 'p', workflow: 'w', tasks: { a: { run: 'x', timeuot: '5m' } } });
    const error = {
      path: 'tasks.a.timeuot',
      code: 'key-unknown',
      values: { key: '`timeuot`', hint: { code: 'did-you-mean', values: { nearest: 'timeout' } } },
      message: 'unknown key `timeuot`; did you mean `timeout`?',
      expected: expect.stringMatching(/^one of: kind, run/),
      expectation: { code: 'one-of', values: { names: expect.arrayContaining(['timeout']) } },
    };
    expect(parsed).toEqual({ ok: false, errors: [error] });
  });

  it('repeated in every task is told a hundred times, with the number of the rest', () => {
    const errors = errorsOf(base(Array.from({ length: 500 }, (_, index) => `  t${index}: { run: x, timeuot: 5m }`).join('\n')));
    expect(errors).toHaveLength(101);
    expect(errors.map((error) => error.message)).toContain('and 400 more; mend these first');
  });
});

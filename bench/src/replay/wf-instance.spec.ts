import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseInstance, readInstance } from './wf-instance.js';

interface Parts {
  specification?: unknown[];
  execution?: unknown[];
  schemaVersion?: string;
}

const specification = [
  { id: 'a', parents: [], children: ['b'] },
  { id: 'b', parents: ['a'], children: [] },
];
const execution = [
  { id: 'a', runtimeInSeconds: 1.5 },
  { id: 'b', runtimeInSeconds: 0, coreCount: 2 },
];

function text(parts: Parts = {}): string {
  const tasks = { specification: { tasks: parts.specification ?? specification }, execution: { tasks: parts.execution ?? execution } };
  return JSON.stringify({ name: 'small', schemaVersion: parts.schemaVersion ?? '1.5', workflow: tasks });
}

describe('reading a recorded execution', () => {
  it('joins specification and execution; a missing core count is one core', () => {
    expect(parseInstance(text(), 'f.json')).toEqual({
      name: 'small',
      tasks: [
        { id: 'a', seconds: 1.5, cores: 1, parents: [] },
        { id: 'b', seconds: 0, cores: 2, parents: ['a'] },
      ],
      edges: 1,
      oneSidedEdges: 0,
    });
  });

  it('keeps a dependency that only one side names, and counts it', () => {
    const oneSided = [
      { id: 'c', parents: [], children: ['a'] },
      { id: 'a', children: [] },
      { id: 'b', parents: ['a'] },
    ];
    const recorded = parseInstance(
      text({ specification: oneSided, execution: [...execution, { id: 'c', runtimeInSeconds: 1 }] }),
      'f.json',
    );
    expect(recorded.tasks.map(({ id, parents }) => [id, parents])).toEqual([
      ['c', []],
      ['a', ['c']],
      ['b', ['a']],
    ]);
    expect(recorded).toMatchObject({ edges: 2, oneSidedEdges: 2 });
  });

  it('counts an edge that is named twice on one side once', () => {
    const twice = [specification[0], { id: 'b', parents: ['a', 'a'], children: [] }];
    expect(parseInstance(text({ specification: twice }), 'f.json')).toMatchObject({ edges: 1, oneSidedEdges: 0 });
  });

  it('puts parents before children whatever the order of the file', () => {
    const reversed = parseInstance(text({ specification: [...specification].reverse() }), 'f.json');
    expect(reversed.tasks.map((task) => task.id)).toEqual(['a', 'b']);
  });

  it('reads the file that comes with the bench', () => {
    const recorded = readInstance(fileURLToPath(new URL('../../data/small-fan.json', import.meta.url)));
    expect(recorded.tasks).toHaveLength(12);
    expect(recorded).toMatchObject({ name: 'small-fan', edges: 19, oneSidedEdges: 0 });
  });
});

describe('refusing what is no recorded execution', () => {
  it.each<[string, string, RegExp]>([
    ['text that is no JSON', '{', /^f\.json: is no JSON: /],
    ['another version of the format', text({ schemaVersion: '1.4' }), /^f\.json: schemaVersion: this reader knows WfFormat 1\.5 only/],
    ['no tasks at all', text({ specification: [] }), /^f\.json: workflow\.specification\.tasks: there is no task/],
    [
      'a runtime that is missing',
      text({ execution: [{ id: 'a' }] }),
      /^f\.json: workflow\.execution\.tasks\[0\]\.runtimeInSeconds: a number of seconds/,
    ],
    ['a negative runtime', text({ execution: [{ id: 'a', runtimeInSeconds: -1 }] }), /tasks\[0\]\.runtimeInSeconds: cannot be negative/],
    [
      'a parent that is no task',
      text({ specification: [{ id: 'a', parents: ['x'] }], execution: [execution[0]] }),
      /^f\.json: workflow\.specification\.tasks\[0\]\.parents\[0\]: there is no task "x"/,
    ],
    [
      'a child that is no task',
      text({ specification: [{ id: 'a', children: ['x'] }], execution: [execution[0]] }),
      /specification\.tasks\[0\]\.children\[0\]: there is no task "x"/,
    ],
    ['an id used twice', text({ specification: [specification[0], specification[0]] }), /specification\.tasks\[1\]\.id: "a" is used twice/],
    [
      'a task that was not executed',
      text({ execution: [execution[0]] }),
      /specification\.tasks\[1\]\.id: "b" has no entry in workflow\.execution\.tasks/,
    ],
    [
      'an execution of no task',
      text({ execution: [...execution, { id: 'x', runtimeInSeconds: 1 }] }),
      /execution\.tasks\[2\]\.id: "x" is no task of the specification/,
    ],
    [
      'a cycle',
      text({
        specification: [
          { id: 'a', parents: ['b'] },
          { id: 'b', parents: ['a'] },
        ],
      }),
      /specification\.tasks\[0\]\.parents: "a" waits for itself/,
    ],
    ['a task that needs itself', text({ specification: [{ id: 'a', parents: ['a'] }], execution: [execution[0]] }), /"a" waits for itself/],
  ])('%s', (_, content, message) => {
    expect(() => parseInstance(content, 'f.json')).toThrow(message);
  });

  it('tells all faults of the form together', () => {
    const bad = text({
      execution: [
        { id: 'a', runtimeInSeconds: 'x' },
        { id: 'b', runtimeInSeconds: -1 },
      ],
    });
    expect(() => parseInstance(bad, 'f.json')).toThrow(/tasks\[0\].*\nf\.json: .*tasks\[1\]/);
  });

  it('a file that is not there', () => {
    expect(() => readInstance('/nowhere/at-all.json')).toThrow(/^\/nowhere\/at-all\.json: cannot be read/);
  });
});

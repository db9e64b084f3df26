import { parseWorkflowYaml } from '@medley/contracts';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { editWorkflow, type WorkflowEdit } from './workflow-edit.js';
import { changeBetween, editYaml, type YamlEdit } from './yaml-edit.js';

const text = `# who: growth
medley: 1
project: default
workflow: demo   # the name

tasks:
  # fetches
  north:
    run: |
      echo north   # not a comment of YAML

  south: { run: echo south, needs: [north] }   # short

  add-up:
    needs:   # both
      - north
      - south
    resources: { cpu: 0.5, memory: 128MiB } # small
    env:
      A: "1"
      # why B
      B: two
    run: echo done
`;

/** Lines that only one of two texts has. */
function difference(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `-${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+${line}`),
  ];
}
const edited = (edit: WorkflowEdit, before = text) => {
  const after = editWorkflow(before, edit);
  const parsed = parseWorkflowYaml(after);
  expect(parsed.ok ? [] : parsed.errors).toEqual([]);
  return difference(before, after);
};
const set = (path: string, value: unknown): WorkflowEdit => ({ kind: 'yaml', edits: [{ kind: 'set', path: path.split('.'), value }] });
const remove = (path: string): WorkflowEdit => ({ kind: 'yaml', edits: [{ kind: 'remove', path: path.split('.') }] });

describe('an edit of a field', () => {
  it.each<[string, WorkflowEdit, string[]]>([
    [
      'replaces a value and keeps the comment behind it',
      set('workflow', 'other'),
      ['-workflow: demo   # the name', '+workflow: other   # the name'],
    ],
    [
      'within braces',
      set('tasks.add-up.resources.cpu', 2),
      ['-    resources: { cpu: 0.5, memory: 128MiB } # small', '+    resources: { cpu: 2, memory: 128MiB } # small'],
    ],
    [
      'adds a key within braces',
      set('tasks.add-up.resources.disk', '1GiB'),
      ['-    resources: { cpu: 0.5, memory: 128MiB } # small', '+    resources: { cpu: 0.5, memory: 128MiB, disk: 1GiB } # small'],
    ],
    [
      'takes a key out of braces',
      remove('tasks.add-up.resources.cpu'),
      ['-    resources: { cpu: 0.5, memory: 128MiB } # small', '+    resources: { memory: 128MiB } # small'],
    ],
    ['adds a key after the last one of a block', set('tasks.add-up.env.C', 'x y'), ['+      C: x y']],
    ['removes a line of a block and leaves the comment of its neighbour', remove('tasks.add-up.env.A'), ['-      A: "1"']],
    ['makes the maps that are missing', set('tasks.north.retry.attempts', 3), ['+    retry: { attempts: 3 }']],
    [
      'writes a script of several lines as a block',
      set('tasks.add-up.run', 'echo 1\necho 2\n'),
      ['-    run: echo done', '+      echo 1', '+      echo 2'],
    ],
    [
      'quotes a script within braces',
      set('tasks.south.run', 'a\nb'),
      ['-  south: { run: echo south, needs: [north] }   # short', '+  south: { run: "a\\nb", needs: [north] }   # short'],
    ],
    [
      'replaces a block by one line',
      set('tasks.north.run', 'true\n'.trim()),
      ['-    run: |', '-      echo north   # not a comment of YAML', '+    run: "true"'],
    ],
    ['adds a section at the end', set('description', 'What it does'), ['+description: What it does']],
  ])('%s', (_, edit, lines) => {
    expect(edited(edit)).toEqual(lines);
  });

  it('puts the comment of a line behind the head of a block', () => {
    const after = editYaml('a: one # why\nb: 2\n', [{ kind: 'set', path: ['a'], value: 'one\ntwo\n' }]);
    expect(after).toBe('a: | # why\n  one\n  two\nb: 2\n');
  });

  it('brings no part of a task back that is gone', () => {
    const late: WorkflowEdit = { kind: 'yaml', task: 'gone', edits: [{ kind: 'set', path: ['tasks', 'gone', 'run'], value: 'x' }] };
    expect(editWorkflow(text, late)).toBe(text);
  });

  it('leaves a text with faults alone', () => {
    expect(editWorkflow('tasks: [', set('tasks.a', {}))).toBe('tasks: [');
  });
});

describe('an edit of the graph', () => {
  it('adds a task after the last one, apart like the others', () => {
    const after = editWorkflow(text, { kind: 'add-task', key: 'last', task: { needs: ['add-up'], run: 'echo hi' } });
    expect(after).toBe(`${text.trimEnd()}\n\n  last:\n    needs: [add-up]\n    run: echo hi\n`);
  });

  it('adds the first task to a text that has none', () => {
    for (const none of ['tasks: {}', 'tasks:']) {
      const after = editWorkflow(`medley: 1\nproject: p\nworkflow: w\n${none}\n`, { kind: 'add-task', key: 'a', task: { run: 'x' } });
      expect(parse(after).tasks).toEqual({ a: { run: 'x' } });
    }
  });

  it('removes a task with its comment, and every need of it', () => {
    expect(edited({ kind: 'remove-tasks', keys: ['north'] })).toEqual([
      '-  # fetches',
      '-  north:',
      '-    run: |',
      '-      echo north   # not a comment of YAML',
      '-  south: { run: echo south, needs: [north] }   # short',
      '-      - north',
      '+  south: { run: echo south }   # short',
    ]);
  });

  it('removes the last task and leaves none', () => {
    const one = 'medley: 1\nproject: p\nworkflow: w\ntasks:\n  a:\n    run: x\n# end\n';
    expect(editWorkflow(one, { kind: 'remove-tasks', keys: ['a'] })).toBe('medley: 1\nproject: p\nworkflow: w\ntasks: {}\n# end\n');
  });

  it('renames a task wherever it is named', () => {
    expect(edited({ kind: 'rename-task', key: 'north', to: 'far-north' })).toEqual([
      '-  north:',
      '-  south: { run: echo south, needs: [north] }   # short',
      '-      - north',
      '+  far-north:',
      '+  south: { run: echo south, needs: [far-north] }   # short',
      '+      - far-north',
    ]);
  });

  it('connects and disconnects in each form of needs', () => {
    const more = `${text.replace('      - north\n      - south\n', '      - south\n')}\n  x: { needs: { north: failed }, run: x }\n  y: { needs: { any: [north] }, run: y }\n`;
    expect(edited({ kind: 'connect', from: 'north', to: 'add-up' }, more)).toEqual(['+      - north']);
    expect(edited({ kind: 'connect', from: 'south', to: 'x' }, more)).toContain(
      '+  x: { needs: { north: failed, south: succeeded }, run: x }',
    );
    expect(edited({ kind: 'connect', from: 'south', to: 'y' }, more)).toContain('+  y: { needs: { any: [north, south] }, run: y }');
    expect(edited({ kind: 'disconnect', from: 'north', to: 'x' }, more)).toContain('+  x: { run: x }');
    const alone = editWorkflow(more, { kind: 'disconnect', from: 'south', to: 'add-up' });
    expect(parse(alone).tasks['add-up'].needs).toBeUndefined();
    expect(editWorkflow(text, { kind: 'connect', from: 'north', to: 'add-up' })).toBe(text);
  });
});

describe('many edits in a row', () => {
  it('arrive at the value that they say and keep every comment', () => {
    const edits: YamlEdit[] = [
      { kind: 'set', path: ['tasks', 'add-up', 'retry'], value: { attempts: 3, delay: '5s' } },
      { kind: 'set', path: ['tasks', 'add-up', 'retry', 'delay'], value: '10s' },
      { kind: 'remove', path: ['tasks', 'add-up', 'env'] },
      { kind: 'set', path: ['tasks', 'add-up', 'env', 'NEW'], value: 'a: b # c' },
      { kind: 'set', path: ['schedules', 'nightly', 'cron'], value: '0 3 * * *' },
    ];
    const value = parse(editYaml(text, edits));
    expect(value.tasks['add-up']).toMatchObject({ retry: { attempts: 3, delay: '10s' }, env: { NEW: 'a: b # c' } });
    expect(value.schedules).toEqual({ nightly: { cron: '0 3 * * *' } });
  });
});

describe('the change between two texts', () => {
  it('is what lies between what they share', () => {
    expect(changeBetween('abcXYZdef', 'abc12def')).toEqual({ from: 3, to: 6, insert: '12' });
    expect(changeBetween('aa', 'aaa')).toEqual({ from: 2, to: 2, insert: 'a' });
    expect(changeBetween('same', 'same')).toBeNull();
  });

  it('changes final tasks where they stand', () => {
    const whole = `${text}finally:\n  tidy: { run: tidy, needs: [north] }\n`;
    expect(edited({ kind: 'rename-task', key: 'north', to: 'n' }, whole).join('\n')).toContain('tidy: { run: tidy, needs: [n] }');
    expect(edited({ kind: 'rename-task', key: 'tidy', to: 'sweep' }, whole).join('\n')).toContain('  sweep: { run: tidy');
    expect(edited({ kind: 'connect', from: 'south', to: 'tidy' }, whole).join('\n')).toContain('needs: [north, south]');
  });
});

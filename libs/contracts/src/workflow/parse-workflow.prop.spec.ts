import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxTasks, maxWorkflowBytes, parseWorkflowJson, parseWorkflowYaml, workflowToYaml } from './index.js';

const word = fc.constantFrom(
  ...[
    'medley',
    '1',
    'project',
    'workflow',
    'tasks',
    'needs',
    'run',
    'kind',
    'env',
    'any',
    '__proto__',
    'constructor',
    'a',
    '&x',
    '*x',
    '!!map',
  ],
  ...[
    '- ',
    ': ',
    ':',
    '\n',
    '\n  ',
    '\n    ',
    '{',
    '}',
    '[',
    ']',
    ',',
    '"',
    "'",
    '|',
    '>',
    '#',
    '? ',
    '---\n',
    '%YAML 1.2\n',
    '\t',
    '<<',
    '${{',
    '中',
    '\u0000',
  ],
);
const garbage = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(word, { maxLength: 40 }).map((words) => words.join('')),
);

function expectErrors(parsed: ReturnType<typeof parseWorkflowYaml>): void {
  if (parsed.ok) return;
  expect(parsed.errors.length).toBeGreaterThan(0);
  for (const error of parsed.errors) {
    expect(error.message.length).toBeGreaterThan(0);
    if (error.line !== undefined) expect(error.line).toBeGreaterThan(0);
  }
}

describe('reading anything at all', () => {
  it('never throws on garbage, and always tells what is wrong', () => {
    fc.assert(
      fc.property(garbage, (text) => expectErrors(parseWorkflowYaml(text))),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(garbage, (text) => expectErrors(parseWorkflowYaml(`medley: 1\nproject: p\nworkflow: w\ntasks:\n  a: ${text}`))),
      { numRuns: 300 },
    );
  });

  it('never throws on any JSON value, wherever it stands', () => {
    const key = fc.constantFrom('medley', 'project', 'workflow', 'tasks', 'schedules', 'parameters', 'defaults', 'description');
    const anything = fc.jsonValue({ maxDepth: 4 });
    fc.assert(fc.property(anything, (value) => expectErrors(parseWorkflowJson(value))));
    fc.assert(
      fc.property(key, anything, (name, value) => {
        const sound = { medley: 1, project: 'p', workflow: 'w', tasks: { a: { run: 'x' } } };
        expectErrors(parseWorkflowJson({ ...sound, [name]: value }));
        expectErrors(parseWorkflowJson({ ...sound, tasks: { a: { run: 'x', needs: value, env: value, retry: value } } }));
        expectErrors(parseWorkflowJson({ ...sound, schedules: { s: value }, parameters: { q: value } }));
      }),
    );
  });

  it.each([
    ['deep lists', '['.repeat(1_000_000)],
    ['deep maps', '{'.repeat(1_000_000)],
    ['deep blocks', '- '.repeat(1_000_000)],
    ['an alias that holds itself', 'medley: &a [*a]'],
    ['aliases that multiply', bomb()],
    ['thirty thousand duplicate keys', 'a: 1\n'.repeat(30_000)],
    ['a text beyond the size cap', `# ${'x'.repeat(maxWorkflowBytes)}`],
    ['thirty thousand unknown keys', Array.from({ length: 30_000 }, (_, index) => `taks${index}: 1`).join('\n')],
    ['ten thousand schedules', `schedules:\n${manySchedules(10_000)}`],
    ['more tasks than allowed', `medley: 1\nproject: p\nworkflow: w\ntasks:\n${manyTasks(maxTasks + 1)}`],
  ])(
    'ends with an error for %s',
    (_, text) => {
      const parsed = parseWorkflowYaml(text);
      expect(parsed.ok).toBe(false);
      expectErrors(parsed);
    },
    30_000,
  );
});

describe('a file of 5,000 tasks', () => {
  it('is read whole', () => {
    const task = (index: number) =>
      `  t${index}:\n    needs: [t${index - 1}]\n    timeout: 5m\n    env: { N: ${index} }\n    run: ./step.sh "$N"`;
    const tasks = Array.from({ length: 5000 }, (_, index) => (index === 0 ? '  t0: { run: x }' : task(index)));
    const parsed = parseWorkflowYaml(`medley: 1\nproject: p\nworkflow: w\ntasks:\n${tasks.join('\n')}\n`);
    expect(parsed.ok && Object.keys(parsed.definition.tasks)).toHaveLength(5000);
  }, 30_000);
});

describe('rendering as YAML', () => {
  it('keeps every text as it was', () => {
    const text = fc.oneof(
      fc.string(),
      fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join('')),
    );
    const script = text.filter((each) => each.trim() !== '' && !each.includes('${{'));
    fc.assert(
      fc.property(
        script,
        text.filter((each) => !each.includes('${{')),
        (run, value) => {
          const parsed = parseWorkflowJson({ medley: 1, project: 'p', workflow: 'w', tasks: { a: { run, env: { V: value } } } });
          if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
          expect(parseWorkflowYaml(workflowToYaml(parsed.definition))).toEqual(parsed);
        },
      ),
      { numRuns: 200 },
    );
  });
});

function bomb(): string {
  const levels = Array.from({ length: 12 }, (_, index) => `a${index + 1}: &a${index + 1} [${Array(9).fill(`*a${index}`).join(', ')}]`);
  return ['a0: &a0 x', ...levels].join('\n');
}

function manyTasks(count: number): string {
  return Array.from({ length: count }, (_, index) => `  t${index}: { run: x }`).join('\n');
}

function manySchedules(count: number): string {
  return Array.from({ length: count }, (_, index) => `  s${index}: { cron: "0 0 * * *" }`).join('\n');
}

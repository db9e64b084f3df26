import { describe, expect, it } from 'vitest';
import { parseWorkflowYaml } from './index.js';

function faultsOf(env: string, more = '') {
  const parsed = parseWorkflowYaml(`
medley: 1
project: growth
workflow: churn
parameters: { day: { type: date }, limit: { type: integer }, some-name: { type: string } }
tasks:
  extract: { run: "true", env: { VALUE: ${JSON.stringify(env)} } }
${more}`);
  return parsed.ok ? [] : parsed.errors;
}

describe('value expressions of a workflow file', () => {
  it.each([
    '${{ parameters.some-name }}',
    '${{ addDays(parameters.day, -1) }}',
    '${{ parameters.limit * 2 }}/${{ formatDate(schedule.date, "yyyyMMdd") }}',
    '${{ parameters.limit > 3 ? "many" : "few" }}',
    'Bearer ${{ secrets.lake }}:${{ parameters.day }}',
  ])('takes %s', (value) => {
    expect(faultsOf(value)).toEqual([]);
  });

  it.each([
    ['${{ parameters.dya }}', 'declares no parameter `dya`; did you mean `day`?'],
    ['${{ parameters.limit-1 }}', 'to subtract, put a space on both sides of `-`'],
    ['${{ parameters.day * 2 }}', 'there is no operation text * number (at character 1)'],
    ['${{ addDays(parameters.limit, 1) }}', 'there is no operation'],
    ['${{ 1 + }}', '(at character'],
    ['${{ secrets.lake + "x" }}', '`secrets.lake` stands within an expression'],
    ['${{ has(secrets.lake) }}', '`secrets.lake` stands within an expression'],
  ])('refuses %s, saying why and where', (value, message) => {
    const [fault] = faultsOf(value);
    expect(fault).toMatchObject({ path: 'tasks.extract.env.VALUE', line: 7 });
    expect(fault!.message).toContain(message);
  });

  it('lets a task name what it waits for, directly or through others, and nothing else', () => {
    const parsed = parseWorkflowYaml(`
medley: 1
project: growth
workflow: churn
tasks:
  extract: { run: "true" }
  raw-check: { needs: [extract], kind: http, url: "https://x.example", outputs: { rows: "json.n", bad: "jsn.n" } }
  train:
    needs: [raw-check]
    run: "true"
    env:
      GOOD: "\${{ tasks.extract.outputs.rows + tasks.raw-check.outputs.rows }}"
      SIDE: "\${{ tasks.other.state }}"
      SELF: "\${{ tasks.train.outputs.x }}"
      NONE: "\${{ tasks.extrct.outputs.x }}"
  other: { run: "true", outputs: { rows: status } }`);
    expect(parsed.ok ? [] : parsed.errors.map(({ path, message }) => [path, message])).toEqual([
      ['tasks.raw-check.outputs.bad', expect.stringContaining('did you mean `json`?')],
      ['tasks.train.env.SIDE', 'task `train` does not wait for `other`, so it may have given nothing yet'],
      ['tasks.train.env.SELF', '`tasks.train.outputs.x` is the task itself'],
      ['tasks.train.env.NONE', 'there is no task `extrct` in this workflow; did you mean `extract`?'],
      ['tasks.other.outputs', '`outputs` has no meaning in a task with a script'],
    ]);
  });

  it('refuses a default that computes what can never have its type, or with what is not known yet', () => {
    const parsed = parseWorkflowYaml(`
medley: 1
project: growth
workflow: churn
parameters:
  day: { type: date, default: "\${{ addDays(schedule.date, -1) }}" }
  month: { type: integer, default: "\${{ formatDate(schedule.date, 'MM') }}" }
  other: { type: date, default: "\${{ parameters.day }}" }
tasks: { a: { run: "true" } }`);
    expect(parsed.ok ? [] : parsed.errors.map(({ path }) => path)).toEqual(['parameters.month.default', 'parameters.other.default']);
  });
});

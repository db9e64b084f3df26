import { describe, expect, it } from 'vitest';
import { AppError } from '../errors/index.js';
import { inEnglish } from '../phrases/index.js';
import { checkTypes, evaluateExpression, lookUpIn, parseExpression, type ValueType } from './index.js';

const context = {
  parameters: { day: '2026-03-31', 'some-name': 7, limit: 5, factor: 2, regions: ['north', 'east'], big: Array(1001).fill(1), dry: false },
  run: { id: 'run-1', workflow: 'churn' },
  schedule: { fireTime: '2026-10-24T18:30:05.000Z', date: '2026-10-25', zone: 'Asia/Shanghai' },
  tasks: { 'raw-ready': { state: 'succeeded', outputs: { rows: 120000, model: { name: 'm', auc: 0.5 }, rate: 5 } } },
};

function expressionOf(source: string) {
  const parsed = parseExpression(source);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.expression;
}

const evaluate = (source: string) => evaluateExpression(expressionOf(source), lookUpIn(context));
const faultOf = (source: string) => {
  const parsed = parseExpression(source);
  if (parsed.ok) throw new Error(`\`${source}\` was taken`);
  return parsed.faults[0]!;
};

describe('the value of an expression', () => {
  it.each([
    ['parameters.some-name', 7],
    ['parameters.some-name + 1', 8],
    ['parameters.limit - 1', 4],
    ['tasks.raw-ready.outputs.rows > 100000', true],
    ['tasks.raw-ready.state == "succeeded" && !parameters.dry', true],
    ['tasks.raw-ready.outputs.model.name + "!"', 'm!'],
    ['tasks.raw-ready.outputs.model', { name: 'm', auc: 0.5 }],
    ['has(tasks.raw-ready.outputs.rows) && !has(tasks.raw-ready.outputs.cols)', true],
    ['has(tasks.raw-ready.outputs.cols) ? tasks.raw-ready.outputs.cols : 3', 3],
    ['"parameters.nothing"', 'parameters.nothing'],
    ['parameters.regions[0] in parameters.regions', true],
    ['parameters.regions.filter(each, each != "east").map(each, each.upperAscii())', ['NORTH']],
    ['size(parameters.regions)', 2],
    ['string(parameters.limit) + parameters.day', '52026-03-31'],
    ['parameters.dry ? "a" : "b"', 'b'],
  ])('%s', (source, value) => {
    expect(evaluate(source)).toEqual(value);
  });

  it('divides numbers that come from outside alike, whether they happen to be whole or not', () => {
    expect(evaluate('parameters.limit / 2')).toBe(2.5);
    expect(evaluate('tasks.raw-ready.outputs.rate / parameters.factor')).toBe(2.5);
    expect(evaluate('parameters.limit % 2')).toBe(1);
  });

  it.each([
    ['addDays(parameters.day, -31)', '2026-02-28'],
    ['addDays("2026-12-31", parameters.limit)', '2027-01-05'],
    ['addMonths(parameters.day, -1)', '2026-02-28'],
    ['addMonths("2024-01-31", 13)', '2025-02-28'],
    ['startOfMonth(schedule.date)', '2026-10-01'],
    ['endOfMonth("2024-02-05")', '2024-02-29'],
    ['daysBetween("2026-03-01", parameters.day)', 30],
    ['weekday("2026-11-30")', 1],
    ['formatDate(schedule.date, "yyyyMMdd")', '20261025'],
    ['formatDate(schedule.date, "dd.MM.yy")', '25.10.26'],
    ['formatTime(schedule.fireTime, "yyyy-MM-dd HH:mm:ss", schedule.zone)', '2026-10-25 02:30:05'],
    ['formatTime("2026-10-24T16:00:00Z", "HH", "Asia/Shanghai")', '00'],
  ])('dates: %s', (source, value) => {
    expect(evaluate(source)).toBe(value);
  });

  it.each([
    ['parameters.missing', 'it has no value here'],
    ['parameters.missing + 1', '`parameters.missing`: it has no value here'],
    ['tasks.raw-ready.outputs.none > 1', 'the task has given no such output'],
    ['parameters.day + 1', 'there is no operation text + number'],
    ['parameters.limit / 0', 'no finite number'],
    ['formatDate("25.10.2026", "yyyy")', 'is not a date'],
    ['formatDate(parameters.day, "yyyy-mm")', '`mm` is no part of a pattern'],
    ['parameters.big.map(each, each + 1)', 'at most 1000'],
    ['9007199254740993', 'kept exactly'],
  ])('%s fails in words: %s', (source, words) => {
    expect(() => evaluate(source)).toThrow(AppError);
    expect(() => evaluate(source)).toThrow(words);
  });

  it('is never larger than its bound, without being written down first', () => {
    const long = { parameters: { text: 'x'.repeat(40_000), regions: Array(1000).fill('y') } };
    const sum = Array(20).fill('parameters.text').join(' + ');
    expect(() => evaluateExpression(expressionOf(sum), lookUpIn(long))).toThrow('longer than');
    expect(() => evaluateExpression(expressionOf(`parameters.regions.map(each, ${sum})`), lookUpIn(long))).toThrow('longer than');
  });

  it('does not take inherited names for values', () => {
    expect(() => evaluate('parameters.constructor')).toThrow(AppError);
    expect(() => evaluate('parameters.limit + parameters.toString')).toThrow(AppError);
  });
});

describe('reading an expression', () => {
  it.each([
    ['nope > 1', 0, 'nothing named `nope`'],
    ['1 + paramters.day', 4, 'did you mean `parameters`?'],
    ['tasks.check.rows > 1', 0, '`tasks.check.rows` is not a value; write one of `tasks.NAME.outputs.NAME`'],
    ['parameters', 0, '`parameters` is not a value'],
    ['tasks[parameters.day]', 0, '`tasks` is not a value'],
    ['size(parameters)', 5, '`parameters` is not a value'],
    ['parameters.a +', 14, ''],
    ['"abc', 0, ''],
    ['parameters.a.matches("(a+)+$")', 0, 'no function `matches`'],
    ['cel.bind(x, 1, x)', 0, ''],
    ['parameters.a.map(x, parameters.a.map(y, x))', 20, 'may not stand within another'],
    ['parameters.a.split(",").map(x, x)', 0, 'named or written out'],
    ['has(parameters)', 4, '`parameters` is not a value'],
    ['x'.repeat(2001), 0, 'longer than 2000'],
    [Array(400).fill('1').join('+'), 0, ''],
    [`${'('.repeat(100)}1${')'.repeat(100)}`, 0, ''],
  ])('refuses %s', (source, offset, words) => {
    const fault = faultOf(source);
    expect(inEnglish(fault.text)).toContain(words);
    if (words !== '') expect(fault.offset).toBe(offset);
  });

  it('finds the names that are asked for, once for each time', () => {
    const { references } = expressionOf('tasks.a-b.outputs.x > 1 || has(parameters.p) && "run.id" != run.id');
    expect(references.map(({ path, presence }) => [path.join('.'), presence])).toEqual([
      ['tasks.a-b.outputs.x', false],
      ['parameters.p', true],
      ['run.id', false],
    ]);
  });
});

describe('the types of an expression', () => {
  const types: Record<string, ValueType> = {
    'parameters.day': 'text',
    'parameters.limit': 'number',
    'parameters.regions': 'list of text',
    'tasks.check.outputs.rows': 'any',
  };
  const check = (source: string) => checkTypes(expressionOf(source), ({ path }) => types[path.join('.')] ?? 'any');

  it.each([
    ['parameters.limit * 2 > 3.5', 'boolean'],
    ['tasks.check.outputs.rows > 100000', 'boolean'],
    ['tasks.check.outputs.rows + 1', 'any'],
    ['parameters.limit + 1', 'number'],
    ['parameters.regions', 'list of text'],
    ['parameters.regions.map(each, each + "!")', 'list of text'],
    ['has(tasks.check.outputs.rows)', 'boolean'],
  ])('%s is a %s', (source, type) => {
    expect(check(source)).toMatchObject({ ok: true, type });
  });

  it.each(['parameters.day + 1', 'parameters.limit && true', 'size(parameters.limit)', 'addDays(1, 1)', 'parameters.regions > 1'])(
    '%s has no meaning',
    (source) => {
      const checked = check(source);
      expect(checked).toMatchObject({ ok: false });
      expect(JSON.stringify(checked)).not.toMatch(/_\d+_|double|dyn/);
    },
  );
});

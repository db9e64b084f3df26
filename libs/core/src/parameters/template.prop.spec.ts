import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../errors/index.js';
import { inEnglish } from '../phrases/index.js';
import { type ExpressionContext, findExpressions, parseTemplate, renderText, renderValue, scheduleValues } from './index.js';

const context: ExpressionContext = {
  parameters: { day: '2026-10-25', regions: ['north', 'east'], limit: 3, dry: false, tricky: '${{ run.id }}' },
  run: { id: 'run-1', workflow: 'churn-daily' },
  task: { key: 'extract' },
  schedule: { fireTime: '2026-10-24T18:30:00.000Z', date: '2026-10-25', zone: 'Asia/Shanghai' },
};

describe('rendering a template', () => {
  it.each([
    ['plain', 'plain'],
    ['${{ parameters.day }}', '2026-10-25'],
    ['${{parameters.limit}}', 3],
    ['${{ parameters.regions }}', ['north', 'east']],
    ['in ${{ parameters.regions }}!', 'in ["north","east"]!'],
    ['${{ run.id }}/${{ task.key }} of ${{ run.workflow }}', 'run-1/extract of churn-daily'],
    ['${{ schedule.date }} ${{ schedule.fireTime }}', '2026-10-25 2026-10-24T18:30:00.000Z'],
    ['${{ schedule.zone }}', 'Asia/Shanghai'],
    ['${{ parameters.limit + 1 }} of ${{ parameters.regions.map(each, each + "!") }}', '4 of ["north!","east!"]'],
    ['a literal $${{ parameters.day }}', 'a literal ${{ parameters.day }}'],
    ['costs $5 and ${HOME} and }}', 'costs $5 and ${HOME} and }}'],
  ])('%s', (template, value) => {
    expect(renderValue(template, context)).toEqual(value);
  });

  it('inserts values as they are, without reading references in them', () => {
    expect(renderText('<${{ parameters.tricky }}>', context)).toBe('<${{ run.id }}>');
  });

  it('writes single references as text where text is wanted', () => {
    expect(renderText('${{ parameters.regions }}', context)).toBe('["north","east"]');
    expect(renderText('${{ parameters.dry }}', context)).toBe('false');
  });

  it.each(['parameters.constructor', 'parameters.missing'])('refuses %s, which has no value', (name) => {
    expect(() => renderValue(`\${{ ${name} }}`, context)).toThrow(AppError);
  });

  it('tells a manual run that schedule values must be given as parameters', () => {
    expect(() => renderValue('${{ schedule.date }}', { ...context, schedule: null })).toThrow(/give the value as a parameter/);
    const elsewhere = { ...context, schedule: scheduleValues(new Date('2026-10-24T18:30:00Z'), 'Nowhere/Sunken') };
    expect(renderValue('${{ schedule.fireTime }} ${{ schedule.zone }}', elsewhere)).toBe('2026-10-24T18:30:00.000Z Nowhere/Sunken');
    expect(() => renderValue('${{ schedule.date }}', elsewhere)).toThrow(/schedule\.date/);
  });
});

describe('checking a template', () => {
  it.each([
    ['${{ parameters.a.b + nope }}', 'nothing named `nope`'],
    ['${{ parameters }}', '`parameters` is not a value'],
    ['${{ }}', 'empty expression'],
    ['${{ run.id', 'has no closing'],
    ["${{ it's }}", 'unterminated'],
  ])('refuses %s', (template, message) => {
    expect(inEnglish(findExpressions(template).faults[0]!.text)).toContain(message);
  });

  it('tells every fault with its place, and every name', () => {
    expect(findExpressions('${{ nope }} ${{ run.id }} ${{ neither }}').faults.map(({ offset }) => offset)).toEqual([4, 30]);
    const { expressions } = findExpressions('${{ run.id }}${{ parameters.x }}');
    expect(expressions.map(({ expression }) => expression.references[0]!.path)).toEqual([
      ['run', 'id'],
      ['parameters', 'x'],
    ]);
  });

  it('ends an expression at the braces that close it, not at those in quotes or of a map', () => {
    expect(renderValue('${{ {"a": {"b": 1}} }}', context)).toEqual({ a: { b: 1 } });
    expect(renderValue('<${{ "}}" + parameters.day }}>', context)).toBe('<}}2026-10-25>');
  });

  it('never throws, and loses no character of a text without expressions', () => {
    const piece = fc.constantFrom('$', '{', '}', '${{', '}}', ' ', 'run.id', 'é', '\n', 'x');
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join('')),
        (text) => {
          const parsed = parseTemplate(text);
          if (!text.includes('${{')) expect(parsed).toEqual({ ok: true, parts: text === '' ? [] : [{ text }] });
          if (parsed.ok) expect(typeof renderText(text, context)).toBe('string');
        },
      ),
    );
  });
});

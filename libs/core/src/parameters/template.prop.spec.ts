import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../errors/index.js';
import { findReferences, parseTemplate, type ReferenceContext, renderText, renderValue } from './index.js';

const context: ReferenceContext = {
  parameters: { day: '2026-10-25', regions: ['north', 'east'], limit: 3, dry: false, tricky: '${{ run.id }}' },
  run: { id: 'run-1', workflow: 'churn-daily' },
  task: { key: 'extract' },
  schedule: { fireTime: '2026-10-24T18:30:00.000Z', date: '2026-10-25' },
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
  });
});

describe('checking a template', () => {
  it.each([
    ['${{ secrets.lake }}', 'not available yet'],
    ['${{ map.region }}', 'not available yet'],
    ['${{ 1 + 1 }}', 'is not a reference'],
    ['${{ parameters.a.b }}', 'is not a reference'],
    ['${{ }}', 'empty expression'],
    ['${{ run.id', 'has no closing'],
  ])('refuses %s', (template, message) => {
    expect(findReferences(template).faults[0]!.message).toContain(message);
  });

  it('tells every fault and every reference', () => {
    expect(findReferences('${{ nope }} ${{ run.id }} ${{ neither }}').faults).toHaveLength(2);
    expect(findReferences('${{ run.id }}${{ parameters.x }}').references).toEqual([{ kind: 'run.id' }, { kind: 'parameter', name: 'x' }]);
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

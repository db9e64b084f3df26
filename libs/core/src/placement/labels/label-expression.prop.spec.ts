import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LabelExpression } from './label-expression.js';
import { matchesLabels } from './match-labels.js';
import { parseLabelExpression } from './parse-label-expression.js';
import { printLabelExpression } from './print-label-expression.js';

const word = fc.oneof(fc.constantFrom('os', 'zone', 'and', 'NOT', 'exists', 'dc-1', ''), fc.string({ maxLength: 6, unit: 'grapheme' }));

const expressions = fc.letrec<{ expression: LabelExpression }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ kind: fc.constantFrom('equals', 'not-equals'), key: word, value: word }),
    fc.record({ kind: fc.constantFrom('in', 'not-in'), key: word, values: fc.array(word, { minLength: 1, maxLength: 3 }) }),
    fc.record({ kind: fc.constant('exists'), key: word }),
    fc.record({ kind: fc.constant('not'), operand: tie('expression') }),
    fc.record({ kind: fc.constantFrom('and', 'or'), operands: fc.array(tie('expression'), { minLength: 2, maxLength: 3 }) }),
  ) as fc.Arbitrary<LabelExpression>,
})).expression;

describe('label expressions', () => {
  it('are the same tree after printing and parsing', () => {
    fc.assert(
      fc.property(expressions, (expression) => {
        expect(parseLabelExpression(printLabelExpression(expression))).toEqual({ ok: true, expression });
      }),
      { numRuns: 300 },
    );
  });

  it('hold exactly where their negation does not', () => {
    fc.assert(
      fc.property(expressions, fc.dictionary(word, word, { maxKeys: 4 }), (expression, labels) => {
        expect(matchesLabels({ kind: 'not', operand: expression }, labels)).toBe(!matchesLabels(expression, labels));
      }),
      { numRuns: 200 },
    );
  });

  it('parse to a tree or to an error inside the text, whatever is written', () => {
    const fragment = fc.oneof(
      fc.constantFrom('os', '=', '!=', 'in', 'not', '(', ')', ',', 'and', 'or', 'exists', '"', ' '),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 12 }), (fragments) => {
        const text = fragments.join(' ');
        const result = parseLabelExpression(text);
        if (result.ok) return;
        expect(result.error.position).toBeGreaterThanOrEqual(0);
        expect(result.error.position).toBeLessThanOrEqual(text.length);
        expect(result.error.expected).not.toBe('');
      }),
      { numRuns: 300 },
    );
  });
});

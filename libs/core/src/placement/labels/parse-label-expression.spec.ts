import { describe, expect, it } from 'vitest';
import { inEnglish } from '../../phrases/index.js';
import { parseLabelExpression } from './parse-label-expression.js';

function parsed(text: string) {
  const result = parseLabelExpression(text);
  if (!result.ok) throw new Error(inEnglish(result.error.text));
  return result.expression;
}

function errorOf(text: string) {
  const result = parseLabelExpression(text);
  if (result.ok) throw new Error('expected a syntax error');
  return result.error;
}

describe('parseLabelExpression', () => {
  it('reads the example of the workflow file', () => {
    expect(parsed('os = linux and zone in (dc1, dc2) and not gpu = t4')).toEqual({
      kind: 'and',
      operands: [
        { kind: 'equals', key: 'os', value: 'linux' },
        { kind: 'in', key: 'zone', values: ['dc1', 'dc2'] },
        { kind: 'not', operand: { kind: 'equals', key: 'gpu', value: 't4' } },
      ],
    });
  });

  it('lets `and` bind tighter than `or`, and parentheses tighter than both', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((key) => ({ kind: 'exists' as const, key }));
    expect(parsed('a exists or b exists and c exists')).toEqual({ kind: 'or', operands: [a, { kind: 'and', operands: [b, c] }] });
    expect(parsed('(a exists or b exists) and c exists')).toEqual({ kind: 'and', operands: [{ kind: 'or', operands: [a, b] }, c] });
  });

  it('reads !=, not in, exists before or after the name, and keywords in any case', () => {
    expect(parsed('gpu!=t4')).toEqual({ kind: 'not-equals', key: 'gpu', value: 't4' });
    expect(parsed('zone NOT IN (dc1)')).toEqual({ kind: 'not-in', key: 'zone', values: ['dc1'] });
    expect(parsed('exists gpu')).toEqual(parsed('gpu exists'));
  });

  it('reads quoted and non-Latin words', () => {
    expect(parsed(`"team name" = 'it''s'`.replace("''", "\\'"))).toEqual({ kind: 'equals', key: 'team name', value: "it's" });
    expect(parsed('机房 = 上海')).toEqual({ kind: 'equals', key: '机房', value: '上海' });
    expect(parsed('state = "and"')).toEqual({ kind: 'equals', key: 'state', value: 'and' });
  });

  it.each([
    ['', 0, 'a label name'],
    ['os = ', 5, 'a value'],
    ['os == linux', 4, 'a value'],
    ['os linux', 3, '=, !=, `in`, `not in` or `exists`'],
    ['os not = linux', 7, '`in` after `not`'],
    ['zone in dc1', 8, '( and a list of values'],
    ['zone in (dc1 dc2)', 13, 'a comma or )'],
    ['zone in ()', 9, 'a value'],
    ['(os = linux', 11, '`and`, `or` or )'],
    ['os = linux zone = dc1', 11, '`and`, `or` or the end'],
    ['os = "linux', 5, 'a closing "'],
    ['os = linux & a = b', 11, 'a name'],
    ['and = x', 0, 'a label name'],
  ])('tells where %j is wrong and what was expected', (text, position, expected) => {
    const error = errorOf(text);
    expect(error.position).toBe(position);
    expect(inEnglish(error.expected)).toContain(expected);
    expect(inEnglish(error.text)).toContain(`at position ${position + 1}: expected ${inEnglish(error.expected)}, found `);
  });

  it('refuses endless nesting instead of exhausting the stack', () => {
    expect(inEnglish(errorOf(`${'('.repeat(50_000)}a exists`).expected)).toContain('levels of nesting');
    expect(inEnglish(errorOf(`${'not '.repeat(50_000)}a exists`).expected)).toContain('levels of nesting');
  });
});

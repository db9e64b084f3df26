import { describe, expect, it } from 'vitest';
import { inEnglish } from '../../phrases/index.js';
import { aNode } from '../fixtures/turn.fixture.js';
import { matchesLabels } from './match-labels.js';
import { nodeLabels } from './node-labels.js';
import { parseLabelExpression } from './parse-label-expression.js';

function matches(text: string, labels: Record<string, string>): boolean {
  const result = parseLabelExpression(text);
  if (!result.ok) throw new Error(inEnglish(result.error.text));
  return matchesLabels(result.expression, labels);
}

describe('matchesLabels', () => {
  const labels = { os: 'linux', zone: 'dc1', gpu: 't4' };

  it.each([
    ['os = linux', true],
    ['os = windows', false],
    ['os != windows', true],
    ['os != linux', false],
    ['zone in (dc1, dc2)', true],
    ['zone in (dc2)', false],
    ['zone not in (dc2)', true],
    ['zone not in (dc1)', false],
    ['gpu exists', true],
    ['disk exists', false],
    ['not gpu = t4', false],
    ['os = linux and zone = dc2', false],
    ['os = windows or zone = dc1', true],
    ['not (os = windows or zone = dc2)', true],
  ])('evaluates %s to %s', (text, expected) => {
    expect(matches(text, labels)).toBe(expected);
  });

  it('takes an absent label as different from every value', () => {
    expect(matches('gpu != t4', {})).toBe(true);
    expect(matches('gpu not in (t4, a10)', {})).toBe(true);
    expect(matches('gpu = t4', {})).toBe(false);
    expect(matches('gpu in (t4)', {})).toBe(false);
  });

  it('does not find labels that every object inherits', () => {
    expect(matches('toString exists or constructor exists', {})).toBe(false);
  });
});

describe('nodeLabels', () => {
  it('implies os and node, and lets given labels win', () => {
    expect(nodeLabels(aNode('a', { platform: 'win32', labels: { zone: 'dc1' } }))).toEqual({ os: 'windows', node: 'node-a', zone: 'dc1' });
    expect(nodeLabels(aNode('a', { platform: 'linux', labels: { os: 'debian' } }))).toMatchObject({ os: 'debian' });
  });
});

import { describe, expect, it } from 'vitest';
import { aroundChanges, diffLines } from './text-diff.js';

const short = (before: string, after: string) =>
  diffLines(before, after).map((line) => `${{ same: ' ', added: '+', removed: '-' }[line.kind]}${line.text}`);

describe('the difference of two texts', () => {
  it('keeps what is common and numbers both sides', () => {
    expect(short('a\nb\nc', 'a\nx\nc\nd')).toEqual([' a', '-b', '+x', ' c', '+d']);
    expect(diffLines('a\nb', 'a\nx').at(-1)).toEqual({ kind: 'added', text: 'x', before: null, after: 2 });
  });

  it('is nothing for equal texts', () => {
    expect(diffLines('a\nb', 'a\nb').every((line) => line.kind === 'same')).toBe(true);
    expect(aroundChanges(diffLines('a\nb', 'a\nb'))).toEqual([]);
  });

  it('shows changes with some lines around and marks what is left out', () => {
    const before = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n');
    const shown = aroundChanges(diffLines(before, before.replace('line 10', 'changed')), 2);
    expect(shown.filter((line) => line === null)).toHaveLength(2);
    expect(shown.filter((line) => line?.kind === 'same')).toHaveLength(4);
  });
});

import { describe, expect, it } from 'vitest';
import { unstorableText } from './storable-text.js';

describe('texts that cannot be stored', () => {
  it.each([
    ['a NUL', { tasks: { a: { run: 'echo \0' } } }, 'tasks.a.run'],
    ['half a surrogate pair', { list: ['fine', '\ud800'] }, 'list.1'],
    ['a key', { labels: { 'a\0': 'x' } }, 'labels'],
  ])('are found by their path: %s', (_, value, path) => {
    expect(unstorableText(value)).toMatchObject({ path });
  });

  it('are not emoji, Chinese, control characters or what is no text', () => {
    expect(unstorableText({ a: '\u{1f600} 早上好 \u0001', b: 1, c: null, d: [true] })).toBeNull();
  });
});

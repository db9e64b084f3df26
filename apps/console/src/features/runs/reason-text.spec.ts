import { describe, expect, it } from 'vitest';
import { reasonLine } from './reason-text.js';

const t = (key: string) => `[${key}]`;

describe('a reason in one line', () => {
  it('does not repeat the general part of the text behind its headline', () => {
    const reason = { code: 'no-capacity', text: 'every node that fits is full: strong 1 of 1 cores reserved' };
    expect(reasonLine(reason, t)).toBe('[reason.no-capacity] · strong 1 of 1 cores reserved');
  });

  it('keeps a text without a general part, and one of a code the console does not know', () => {
    expect(reasonLine({ code: 'no-node', text: 'the pool has no node' }, t)).toBe('[reason.no-node] · the pool has no node');
    expect(reasonLine({ code: 'of-a-later-version', text: 'limit a: 3 of 3' }, t)).toBe('limit a: 3 of 3');
  });
});

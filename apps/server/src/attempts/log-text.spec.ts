import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { incompleteTailLength, textOfChunk } from './log-text.js';

describe('text of log chunks', () => {
  it('is the whole text again, wherever multi-byte characters were cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.nat({ max: 40 }), { maxLength: 6 }), (text, cuts) => {
        const bytes = Buffer.from(text, 'utf8');
        const borders = [0, ...cuts.filter((cut) => cut > 0 && cut < bytes.length), bytes.length].sort((a, b) => a - b);
        const spans = borders.slice(1).map((end, index) => ({ start: borders[index]!, end }));
        // The database keeps the last three bytes of the chunk before; chunks shorter than a character are merged by the agent.
        fc.pre(spans.every(({ start, end }) => end - start >= 3 || end === bytes.length));
        const parts = spans.map(({ start, end }) =>
          textOfChunk(start === 0 ? null : bytes.subarray(Math.max(0, start - 3), start), bytes.subarray(start, end), end === bytes.length),
        );
        expect(parts.join('')).toBe(bytes.toString('utf8'));
      }),
    );
  });

  it('keeps Chinese text intact when a chunk ends within a character', () => {
    const bytes = Buffer.from('调度完成', 'utf8');
    const [first, second] = [bytes.subarray(0, 4), bytes.subarray(4)];
    expect([textOfChunk(null, first, false), textOfChunk(first.subarray(-3), second, true)]).toEqual(['调', '度完成']);
  });

  it('does not wait for ever for a character that never becomes whole', () => {
    expect(textOfChunk(null, Buffer.from([0x61, 0xe8, 0xb0]), true)).toBe('a\ufffd');
  });

  it.each([
    ['ascii', [0x61], 0],
    ['a lead byte', [0x61, 0xe8], 1],
    ['two of three bytes', [0xe8, 0xb0], 2],
    ['three of four bytes', [0xf0, 0x9f, 0x98], 3],
    ['a whole character', [0xe8, 0xb0, 0x83], 0],
    ['stray continuation bytes', [0x80, 0x80, 0x80], 0],
  ])('counts the incomplete bytes after %s', (_, bytes, count) => {
    expect(incompleteTailLength(Uint8Array.from(bytes))).toBe(count);
  });
});

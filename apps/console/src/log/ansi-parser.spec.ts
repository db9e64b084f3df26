import { describe, expect, it } from 'vitest';
import { AnsiParser, type AnsiToken } from './ansi-parser.js';

const read = (...pieces: string[]): AnsiToken[] => {
  const parser = new AnsiParser();
  return pieces.flatMap((piece) => parser.read(piece));
};
const texts = (tokens: AnsiToken[]) => tokens.flatMap((token) => (token.kind === 'text' ? [token.text] : []));

describe('terminal output', () => {
  it('keeps colours and weights until they are reset', () => {
    expect(read('\x1b[1;31mred\x1b[0m plain')).toEqual([
      { kind: 'text', text: 'red', style: { bold: true, foreground: 1 } },
      { kind: 'text', text: ' plain', style: {} },
    ]);
  });

  it('knows bright, indexed and true colours', () => {
    const [bright, indexed, real] = read('\x1b[92ma\x1b[38;5;208mb\x1b[48;2;1;2;300mc');
    expect(bright).toMatchObject({ style: { foreground: 10 } });
    expect(indexed).toMatchObject({ style: { foreground: 'rgb(255 135 0)' } });
    expect(real).toMatchObject({ style: { background: 'rgb(1 2 255)' } });
  });

  it('completes a sequence that was cut between two pieces', () => {
    const tokens = read('before\x1b[3', '1mred', '\x1b', '[0mafter');
    expect(texts(tokens)).toEqual(['before', 'red', 'after']);
    expect(tokens[1]).toMatchObject({ style: { foreground: 1 } });
    expect(tokens[2]).toMatchObject({ style: {} });
  });

  it('drops movements, titles and links but not their text', () => {
    expect(texts(read('\x1b[2J\x1b]0;title\x07\x1b]8;;https://x\x1b\\link\x1b]8;;\x1b\\')).join('')).toBe('link');
  });

  it('tells a carriage return that rewinds from one that ends a line, also at the border of pieces', () => {
    expect(read('10%\r20%\r\n').map((token) => token.kind)).toEqual(['text', 'carriage-return', 'text', 'line-feed']);
    expect(read('a\r', '\nb').map((token) => token.kind)).toEqual(['text', 'line-feed', 'text']);
    expect(read('a\r', 'b').map((token) => token.kind)).toEqual(['text', 'carriage-return', 'text']);
  });

  it('leaves multi-byte text alone', () => {
    expect(texts(read('数据\x1b[32m完成\x1b[0m'))).toEqual(['数据', '完成']);
  });
});

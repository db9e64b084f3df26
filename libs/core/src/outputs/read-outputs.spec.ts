import { describe, expect, it } from 'vitest';
import { inEnglish } from '../phrases/index.js';
import { readOutputs } from './index.js';

const read = (text: string) => readOutputs(text, Buffer.byteLength(text));

describe('the outputs of a task', () => {
  it('are lines of name=value or of JSON, the later winning', () => {
    const text = 'rows=120000\r\nmodel = m=1 \n\n{"rows": 5, "list": ["a", 1], "text": "two\\nlines"}\nok=true\n';
    expect(read(text)).toEqual({ ok: true, outputs: { rows: 5, model: ' m=1 ', list: ['a', 1], text: 'two\nlines', ok: true } });
  });

  it('are numbers only where a number would be written just so', () => {
    expect(read('a=007\nb=1e5\nc=1.50\nd=-2.5\ne=\nf= 1\ng=Infinity\nh=12345678901234567890')).toEqual({
      ok: true,
      outputs: { a: '007', b: '1e5', c: '1.50', d: -2.5, e: '', f: ' 1', g: 'Infinity', h: '12345678901234567890' },
    });
  });

  it('are none when nothing was written', () => {
    expect(read('')).toEqual({ ok: true, outputs: {} });
  });

  it.each([
    ['nonsense', 'line 1 of its outputs is neither'],
    ['a=1\n{"b": }', 'line 2 of its outputs is not a JSON object'],
    ['1a=1', '`1a` cannot be a name'],
    ['__proto__=1', 'cannot be a name'],
    [`a=${'x'.repeat(65_536)}`, 'more than the 65536'],
    [Array.from({ length: 101 }, (_, index) => `a${index}=1`).join('\n'), 'it gave 101 outputs, more than the 100'],
  ])('refuse %.20s', (text, message) => {
    const outputs = read(text);
    expect(outputs).toMatchObject({ ok: false });
    expect(!outputs.ok && inEnglish(outputs.fault)).toContain(message);
  });
});

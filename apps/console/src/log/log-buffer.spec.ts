import type { LogPart } from '@medley/contracts';
import { describe, expect, it } from 'vitest';
import { LogBuffer, textOf } from './log-buffer.js';

const part = (text: string, stream: LogPart['stream'] = 'stdout'): LogPart => ({
  stream,
  text,
  offset: 0,
  receivedAt: '2026-01-01T00:00:00Z',
});
const shown = (...parts: LogPart[]) => {
  const buffer = new LogBuffer();
  buffer.append(parts);
  return buffer.lines.map(textOf);
};

describe('a log', () => {
  it('joins a line that came in two chunks', () => {
    expect(shown(part('hel'), part('lo\nwor'), part('ld\n'))).toEqual(['hello', 'world']);
  });

  it('keeps the lines of two streams apart though their chunks alternate', () => {
    expect(shown(part('out '), part('err\n', 'stderr'), part('put\n'))).toEqual(['out put', 'err']);
  });

  it('shows a progress bar as one line with its last value', () => {
    expect(shown(part('10%\r20%'), part('\r'), part('100%\ndone\n'))).toEqual(['100%', 'done']);
  });

  it('keeps empty lines and windows line ends', () => {
    expect(shown(part('a\r\n\r\nb\r\n'))).toEqual(['a', '', 'b']);
  });

  it('clears a rewound line that is erased', () => {
    expect(shown(part('working\r\u001b[Kok\n'))).toEqual(['ok']);
  });
});

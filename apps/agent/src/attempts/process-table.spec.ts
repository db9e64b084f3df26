import { describe, expect, it } from 'vitest';
import { attemptIdOf, parseStat } from './process-table.js';

describe('reading /proc', () => {
  it('finds session and start time whatever the command is called', () => {
    const line = '42 (a) R (b c) S 1 42 41 0 -1 4194304 100 0 0 0 0 0 0 0 20 0 1 0 88886 3133440';
    expect(parseStat(line)).toEqual({ state: 'S', sessionId: 41, startTicks: '88886' });
  });

  it('finds the attempt only in a variable of that very name', () => {
    expect(attemptIdOf(Buffer.from('A=1\0MEDLEY_ATTEMPT_ID=abc\0B=2\0'))).toBe('abc');
    expect(attemptIdOf(Buffer.from('MEDLEY_ATTEMPT_ID=abc'))).toBe('abc');
    expect(attemptIdOf(Buffer.from('OLD_MEDLEY_ATTEMPT_ID=abc\0'))).toBeNull();
    expect(attemptIdOf(Buffer.from(''))).toBeNull();
  });
});

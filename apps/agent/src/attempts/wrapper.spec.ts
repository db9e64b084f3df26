import { describe, expect, it } from 'vitest';
import { parseExitFile, parsePidFile } from './wrapper.js';

describe('files of the wrapper', () => {
  it('counts only with their line end: a half-written one is none', () => {
    expect(parseExitFile('13')).toBeNull();
    expect(parseExitFile('')).toBeNull();
    expect(parseExitFile('13\n')).toBe(13);
    expect(parsePidFile('12 345')).toBeNull();
    expect(parsePidFile('12 345\n')).toEqual({ pid: 12, startMark: '345' });
    expect(parsePidFile('12 Mon Nov 30 15:00:00 2026\n')).toEqual({ pid: 12, startMark: 'Mon Nov 30 15:00:00 2026' });
  });
});

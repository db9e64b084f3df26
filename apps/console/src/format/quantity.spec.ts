import { describe, expect, it } from 'vitest';
import { formatCores, formatMib, formatShare, shortId } from './quantity.js';

describe('quantities', () => {
  it('carry their unit and no noise', () => {
    expect(formatCores(500)).toBe('0.5');
    expect(formatCores(16_000)).toBe('16');
    expect(formatMib(512)).toBe('512 MiB');
    expect(formatMib(4096)).toBe('4 GiB');
    expect(formatMib(1_572_864)).toBe('1.5 TiB');
    expect(formatShare(0.33)).toBe('33.0 %');
  });

  it('tell ids apart that were made in the same millisecond', () => {
    expect(shortId('019336a2-0000-7000-8000-00000000abcd')).toBe('0000abcd');
  });
});

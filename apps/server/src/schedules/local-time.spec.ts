import { describe, expect, it } from 'vitest';
import { localTime } from './local-time.js';

describe('local time', () => {
  it('shows the wall clock of the zone with the offset that holds at that instant', () => {
    expect(localTime(new Date('2026-03-29T00:59:59Z'), 'Europe/Berlin')).toBe('2026-03-29 01:59:59 GMT+01:00');
    expect(localTime(new Date('2026-03-29T01:00:00Z'), 'Europe/Berlin')).toBe('2026-03-29 03:00:00 GMT+02:00');
    expect(localTime(new Date('2026-01-01T16:00:00Z'), 'Asia/Shanghai')).toBe('2026-01-02 00:00:00 GMT+08:00');
  });
});

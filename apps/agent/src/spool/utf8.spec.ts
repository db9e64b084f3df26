import { describe, expect, it } from 'vitest';
import { completeUtf8Length } from './utf8.js';

describe('cutting output at whole characters', () => {
  it('holds back exactly the bytes of an unfinished character, at any cut', () => {
    const bytes = Buffer.from('aé排🚀z');
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const length = completeUtf8Length(bytes.subarray(0, cut));
      expect(cut - length).toBeLessThan(4);
      expect(bytes.subarray(0, length).toString('utf8')).not.toContain('\uFFFD');
      expect('aé排🚀z'.startsWith(bytes.subarray(0, length).toString('utf8'))).toBe(true);
    }
  });

  it('passes on bytes that are no UTF-8', () => {
    const latin1 = Buffer.from([0x41, 0x80, 0x80, 0x80, 0x80]);
    expect(completeUtf8Length(latin1)).toBe(5);
  });
});

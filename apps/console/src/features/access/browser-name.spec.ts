import { describe, expect, it } from 'vitest';
import { browserName } from './browser-name.js';

describe('the name of a browser', () => {
  it('is what people call it, with its system', () => {
    const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
    expect(browserName(`Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/128.0.0.0 Safari/537.36`)).toBe('Chrome 128 · Linux');
    expect(browserName(`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/128.0.0.0 Safari/537.36 Edg/127.0`)).toBe('Edge 127 · Windows');
    expect(browserName('Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1 (KHTML) Version/17.5 Safari/605.1')).toBe(
      'Safari 17 · macOS',
    );
  });

  it('is the first word of what is not one', () => {
    expect(browserName('curl/8.4.0')).toBe('curl/8.4.0');
    expect(browserName('node')).toBe('node');
  });
});

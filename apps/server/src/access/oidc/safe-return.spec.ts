import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeReturn } from './safe-return.js';

const origin = 'https://medley.example';

describe('the address after a sign-in', () => {
  it.each(['/', '/runs?state=failed&page=2#log', '/workflows/a%2Fb'])('is %s when that is asked for', (path) => {
    expect(safeReturn(path, origin)).toBe(`${origin}${path}`);
  });

  it.each([
    ...[
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/\t/evil.example',
      'javascript:alert(1)',
      'runs',
      '',
    ],
    ...['/api/v1/sign-in/oidc?to=/', '///evil.example', '/x/../api/v1/logout', `/${'密'.repeat(300)}`],
  ])('is the first page when %j is asked for', (path) => {
    expect(safeReturn(path, origin)).toBe(`${origin}/`);
  });

  it('never leaves this origin, even where a path looks like another host', () => {
    expect(new URL(safeReturn('/..//evil.example', origin)).origin).toBe(origin);
    const pieces = fc.constantFrom('/', '\\', '.', '..', '@', ':', '//', '%2f', '\t', '\n', 'evil.example', 'https:', '?', '#', ' ');
    const addresses = fc.oneof(
      fc.array(pieces, { maxLength: 8 }).map((all) => all.join('')),
      fc.string(),
      fc.webUrl(),
    );
    fc.assert(fc.property(addresses, (asked) => new URL(safeReturn(asked, origin)).origin === origin));
  });
});

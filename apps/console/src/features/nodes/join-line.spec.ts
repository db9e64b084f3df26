import { describe, expect, it } from 'vitest';
import { isOwnMachine, joinLine } from './join-line.js';

describe('the line that joins a machine', () => {
  const bundle = { path: '/agent/medley-agent.mjs', sha256: 'a'.repeat(64) };
  const line = joinLine({ serverUrl: 'https://medley.example:8443', token: 'mjt_Az09-_', bundle });

  it('is one line that shells of Unix and Windows read alike', () => {
    expect(line).toMatch(/^node -e "[^"]*"$/);
    expect(line).not.toMatch(/[$`!%\\\n]/);
  });

  it('names server, token and checksum', () => {
    expect(line).toContain(`fetch('https://medley.example:8443/agent/medley-agent.mjs')`);
    expect(line).toContain(`'--token','mjt_Az09-_'`);
    expect(line).toContain(`h==='${'a'.repeat(64)}'`);
  });

  it.each([
    ['localhost', true],
    ['127.0.0.1', true],
    ['[::1]', true],
    ['medley.example', false],
    ['10.0.0.7', false],
  ])('tells that %s is the machine itself: %s', (hostname, own) => {
    expect(isOwnMachine(hostname)).toBe(own);
  });
});

import { describe, expect, it } from 'vitest';
import { parseDispatchOptions, profileEnvironment } from './dispatch-options.js';

describe('options of the dispatch bench', () => {
  it('have defaults', () => {
    expect(parseDispatchOptions([])).toEqual({ tasks: 5000, rounds: 5, steps: 100, profileDirectory: null });
  });

  it('take a directory for profiles among the numbers', () => {
    expect(parseDispatchOptions(['--tasks', '10', '--profile', '/p', '--rounds', '1'])).toMatchObject({
      tasks: 10,
      rounds: 1,
      profileDirectory: '/p',
    });
    expect(() => parseDispatchOptions(['--profile'])).toThrow('--profile: name the directory');
  });

  it('profile only when asked', () => {
    expect(profileEnvironment(null)).toEqual({});
    expect(profileEnvironment('/a b').NODE_OPTIONS).toMatch(/^--import=file:.*profile-preload\.js\?directory=%2Fa\+b$/);
  });
});

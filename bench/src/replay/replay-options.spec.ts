import { describe, expect, it } from 'vitest';
import { parseReplayOptions } from './replay-options.js';

describe('options of the replay', () => {
  it('have defaults', () => {
    expect(parseReplayOptions(['f.json'])).toEqual({
      file: 'f.json',
      targetSeconds: 60,
      speeds: [1, 1, 2, 4],
      slotsPerNode: 4,
      policy: { selector: 'earliest-finish' },
      rehearsals: 0,
      json: false,
    });
  });

  it.each([
    ['resource-pick-k2', { selector: 'resource-pick-kx', k: 2 }],
    ['resource-pick-kinfinity', { selector: 'resource-pick-kx', k: 'infinity' }],
    ['random', { selector: 'random' }],
  ])('know the policy %s', (name, policy) => {
    expect(parseReplayOptions(['f.json', '--policy', name]).policy).toEqual(policy);
  });

  it.each([
    [[], /Name one file/],
    [['a', 'b'], /Name one file/],
    [['f', '--policy', 'fastest'], /--policy: "fastest" is not known/],
    [['f', '--nodes', '1,,2'], /--nodes: "" is not a number/],
    [['f', '--nodes', '1,0'], /--nodes: "0" is not a number from/],
    [['f', '--target-seconds', 'soon'], /--target-seconds: "soon" is not a number/],
    [['f', '--slots', '2.5'], /--slots: "2.5" is not a whole number/],
    [['f', '--speed', '2'], /--speed/],
  ])('%j is refused', (args, message) => {
    expect(() => parseReplayOptions(args)).toThrow(message);
  });
});

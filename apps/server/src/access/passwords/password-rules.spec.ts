import { inEnglish } from '@medley/core';
import { describe, expect, it } from 'vitest';
import { passwordFaults } from './password-rules.js';

describe('a new password', () => {
  it.each([
    ['short-one', 'alice', ['has fewer than 12 characters']],
    ['alicealice12', 'alice', ['is little more than the name']],
    ['ALICE-Alice-alice', 'alice', ['is little more than the name']],
    ['aaaaaaaaaaaaaaa', 'bob', ['is made of fewer than four different characters']],
    ['bob', 'bob', ['has fewer than 12 characters', 'is little more than the name', 'is made of fewer than four different characters']],
  ])('"%s" of %s is refused with every rule it breaks', (password, name, faults) => {
    expect(passwordFaults(password, name).map(inEnglish)).toEqual(faults);
  });

  it.each([
    ['correct horse battery', 'alice'],
    ['alice likes long walks', 'alice'],
    ['aufgehoben heute', 'a'],
    ['密码密码要够长一点才可以哦', 'alice'],
  ])('"%s" of %s is taken', (password, name) => {
    expect(passwordFaults(password, name)).toEqual([]);
  });
});

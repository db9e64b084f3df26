import { describe, expect, it } from 'vitest';
import { mayApprove } from './approval-rules.js';

describe('who may approve', () => {
  const viewer = { name: 'ada', groups: ['finance'], role: 'viewer' as const };
  it.each([
    [['user:ada'], true],
    [['user:bob'], false],
    [['group:finance'], true],
    [['group:ops'], false],
    [['role:viewer'], true],
    [['role:operator'], false],
    [['role:operator', 'group:finance'], true],
  ])('%j names a viewer of the group finance: %s', (by, named) => {
    expect(mayApprove(by, viewer)).toBe(named);
  });

  it('is whoever has the role or a higher one, and nobody without any', () => {
    expect(mayApprove(['role:operator'], { ...viewer, role: 'admin' })).toBe(true);
    expect(mayApprove(['role:viewer'], { ...viewer, role: null })).toBe(false);
  });
});

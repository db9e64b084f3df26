import { describe, expect, it } from 'vitest';
import { draftLimits, limitsOf } from './task-limits.js';

describe('the limits of a task in the form', () => {
  it.each([[['gpu', 'api']], [{ gpu: 2, api: 1 }], [undefined]])('stay in the file as they were: %j', (limits) => {
    expect(limitsOf(draftLimits(limits), limits)).toEqual(limits);
  });

  it('become a map once one is taken more than once, and a list while each is taken once', () => {
    expect(limitsOf([{ name: 'gpu', slots: '' }], undefined)).toEqual(['gpu']);
    expect(limitsOf([...draftLimits(['gpu']), { name: ' api ', slots: '2' }], ['gpu'])).toEqual({ gpu: 1, api: 2 });
    expect(limitsOf([{ name: 'gpu', slots: 'two' }], undefined)).toEqual({ gpu: 'two' });
    expect(limitsOf([{ name: '', slots: '3' }], ['gpu'])).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { isMarkable } from './markable.js';

const open = { state: 'running', reason: null } as const;
const running = { state: 'running', finalsCancelled: false } as const;
const cancelling = { state: 'cancelling', finalsCancelled: false } as const;

describe('deciding how a task ends', () => {
  it('is offered while it goes on, and not for an approval', () => {
    expect(isMarkable(open, running, false)).toBe(true);
    expect(isMarkable({ state: 'succeeded', reason: null }, running, false)).toBe(false);
    expect(isMarkable({ state: 'blocked', reason: { code: 'waiting-for-approval', text: '' } }, running, true)).toBe(false);
  });

  it('is offered for final tasks alone in a run that is being cancelled, until they are cancelled too', () => {
    expect(isMarkable(open, cancelling, false)).toBe(false);
    expect(isMarkable(open, cancelling, true)).toBe(true);
    expect(isMarkable(open, { ...cancelling, finalsCancelled: true }, true)).toBe(false);
  });
});

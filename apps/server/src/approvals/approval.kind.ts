import type { UnplacedKind } from '../unplaced/unplaced.types.js';

export const WAITING_FOR_APPROVAL = 'waiting-for-approval';

/** A task that only people end: it waits for a decision by one of those it names, holds no slot meanwhile, and its deadline ends it otherwise. */
export const approvalKind: UnplacedKind = async (_sql, { task, state }) => {
  if (state !== 'ready') return { to: 'stay' };
  const by = task.approval?.by ?? [];
  const text = `It waits for an approval by ${by.join(', ')}.`;
  return { to: 'blocked', reason: { code: WAITING_FOR_APPROVAL, text, values: { by } }, lookInSeconds: null };
};

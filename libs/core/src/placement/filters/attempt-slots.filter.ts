import type { NodeFilter } from './node-filter.js';

/** Keeps nodes that may hold one attempt more. */
export const attemptSlotsFilter: NodeFilter = {
  name: 'attempt-slots',
  duration: 'momentary',
  rejects: (node) => node.heldAttempts >= node.snapshot.maxAttempts,
  summary: () => 'holds as many attempts as it may',
  detail: (node) => `holds ${node.heldAttempts} of ${node.snapshot.maxAttempts} attempts`,
};

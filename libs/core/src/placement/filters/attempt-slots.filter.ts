import { phrase } from '../../phrases/index.js';
import type { NodeFilter } from './node-filter.js';

/** Keeps nodes that may hold one attempt more. */
export const attemptSlotsFilter: NodeFilter = {
  name: 'attempt-slots',
  duration: 'momentary',
  rejects: (node) => node.heldAttempts + node.backlog.attempts >= node.snapshot.maxAttempts,
  summary: () => phrase('removed-attempts-full'),
  obstacle: (node) => ({ code: 'attempts-full', held: node.heldAttempts, max: node.snapshot.maxAttempts }),
  detail: ({ heldAttempts, backlog, snapshot: { maxAttempts } }) =>
    `holds ${heldAttempts} of ${maxAttempts} attempts${backlog.attempts > 0 ? ` and ${backlog.attempts} more wait there` : ''}`,
};

import type { NodeFilter } from './node-filter.js';

/** Keeps nodes of performance above 0: x = 0 is never picked, by no selector. */
export const performanceFilter: NodeFilter = {
  name: 'performance',
  duration: 'standing',
  rejects: ({ snapshot }) => !(snapshot.performance > 0),
  summary: () => 'performance is 0 or not measured yet',
  detail: () => 'has performance 0',
};

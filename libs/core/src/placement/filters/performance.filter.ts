import { phrase } from '../../phrases/index.js';
import { isPickable } from '../performance/effective-performance.js';
import type { NodeFilter } from './node-filter.js';

/** Keeps nodes of performance above 0: x = 0 is never picked, by no selector. */
export const performanceFilter: NodeFilter = {
  name: 'performance',
  duration: 'standing',
  rejects: ({ snapshot }) => !isPickable(snapshot.performance),
  summary: () => phrase('removed-no-performance'),
  obstacle: ({ snapshot }) => ({ code: 'no-performance', performance: snapshot.performance }),
  detail: ({ snapshot }) => `has performance ${snapshot.performance}`,
};

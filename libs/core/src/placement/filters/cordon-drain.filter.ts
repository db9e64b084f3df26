import { phrase } from '../../phrases/index.js';
import type { NodeFilter } from './node-filter.js';

/** Keeps nodes that an operator lets take new work; a draining one finishes what it runs and takes nothing new. */
export const cordonDrainFilter: NodeFilter = {
  name: 'cordon-drain',
  duration: 'standing',
  rejects: ({ snapshot }) => snapshot.cordoned || snapshot.draining,
  summary: () => phrase('removed-out-of-service'),
  obstacle: ({ snapshot }) => ({ code: snapshot.draining ? 'draining' : 'cordoned' }),
  detail: ({ snapshot }) => (snapshot.draining ? 'is draining' : 'is cordoned'),
};

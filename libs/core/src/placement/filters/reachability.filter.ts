import { phrase } from '../../phrases/index.js';
import type { NodeFilter } from './node-filter.js';

/** Keeps nodes whose heartbeat is recent. */
export const reachabilityFilter: NodeFilter = {
  name: 'reachability',
  duration: 'standing',
  rejects: ({ snapshot }) => snapshot.offline || !snapshot.reachable,
  summary: () => phrase('removed-unreachable'),
  obstacle: ({ snapshot }) => ({ code: snapshot.offline ? 'offline' : 'silent' }),
  detail: ({ snapshot }) => (snapshot.offline ? 'is offline' : 'has sent no heartbeat lately'),
};

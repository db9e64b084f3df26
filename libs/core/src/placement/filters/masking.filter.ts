import { phrase } from '../../phrases/index.js';
import type { NodeFilter } from './node-filter.js';

/** Keeps nodes whose agent can mask secrets, for tasks that are given some. An older agent may be updated at any time, so that this is never "never". */
export const maskingFilter: NodeFilter = {
  name: 'masking',
  duration: 'standing',
  rejects: ({ snapshot }, { needsMasking }) => needsMasking === true && snapshot.masksSecrets === false,
  summary: () => phrase('removed-cannot-mask'),
  obstacle: () => ({ code: 'cannot-mask' }),
  detail: () => 'has an agent that cannot mask secrets and has to be updated',
};

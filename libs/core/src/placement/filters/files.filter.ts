import { phrase } from '../../phrases/index.js';
import type { NodeFilter } from './node-filter.js';

/** Keeps nodes whose agent can keep and fetch working files, for tasks that do. An older agent may be updated at any time, so that this is never "never". */
export const filesFilter: NodeFilter = {
  name: 'files',
  duration: 'standing',
  rejects: ({ snapshot }, { needsFiles }) => needsFiles === true && snapshot.movesFiles === false,
  summary: () => phrase('removed-cannot-files'),
  obstacle: () => ({ code: 'cannot-move-files' }),
  detail: () => 'has an agent that cannot keep or fetch working files and has to be updated',
};

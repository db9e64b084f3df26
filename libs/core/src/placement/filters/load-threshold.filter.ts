import type { NodeFilter } from './node-filter.js';

/** Keeps nodes whose reported load is below their threshold; a node that lacks either figure passes. */
export const loadThresholdFilter: NodeFilter = {
  name: 'load-threshold',
  duration: 'standing',
  rejects: ({ snapshot: { load, loadThreshold } }) => load !== undefined && loadThreshold !== undefined && load >= loadThreshold,
  summary: () => 'load at or above its threshold',
  detail: ({ snapshot }) => `is overloaded (load ${snapshot.load}, threshold ${snapshot.loadThreshold})`,
};

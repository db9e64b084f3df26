import { phrase } from '../../phrases/index.js';
import type { NodeFilter } from './node-filter.js';

/** Keeps nodes whose CPU load is below the pool's maximum; a node that lacks either figure passes. */
export const loadThresholdFilter: NodeFilter = {
  name: 'load-threshold',
  duration: 'standing',
  rejects: ({ snapshot: { cpuPercent, maxCpuPercent } }) =>
    cpuPercent !== undefined && maxCpuPercent !== undefined && cpuPercent >= maxCpuPercent,
  summary: (_, { snapshot }) => phrase('removed-overloaded', { maxCpuPercent: snapshot.maxCpuPercent ?? 0 }),
  obstacle: ({ snapshot: { cpuPercent = 0, maxCpuPercent = 0 } }) => ({ code: 'overloaded', cpuPercent, maxCpuPercent }),
  detail: ({ snapshot }) => `has a CPU load of ${snapshot.cpuPercent} % (the pool's maximum is ${snapshot.maxCpuPercent} %)`,
};

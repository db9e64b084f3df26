import type { WorkingNode } from '../turn/working-node.js';
import { attemptSlotsFilter } from './attempt-slots.filter.js';
import { capacityFilter } from './capacity.filter.js';
import { cordonDrainFilter } from './cordon-drain.filter.js';
import { filesFilter } from './files.filter.js';
import { labelsFilter } from './labels.filter.js';
import { loadThresholdFilter } from './load-threshold.filter.js';
import { maskingFilter } from './masking.filter.js';
import type { FilterRequest, NodeFilter } from './node-filter.js';
import { performanceFilter } from './performance.filter.js';
import { reachabilityFilter } from './reachability.filter.js';
import { runtimeFilter } from './runtime.filter.js';
import { sizeFilter } from './size.filter.js';

/** These two make the static eligibility class of a request, whatever its size. */
export const eligibilityFilters: readonly NodeFilter[] = [labelsFilter, runtimeFilter];

/** Fixed for the whole turn, evaluated once per request shape. */
export const turnFilters: readonly NodeFilter[] = [
  sizeFilter,
  cordonDrainFilter,
  reachabilityFilter,
  maskingFilter,
  filesFilter,
  loadThresholdFilter,
  performanceFilter,
];

/** Change with every placement, evaluated per decision. */
export const momentaryFilters: readonly NodeFilter[] = [attemptSlotsFilter, capacityFilter];

/** Every filter in the order in which it is asked; permanent ones first, so that "never" is told before "not now". */
export const allFilters: readonly NodeFilter[] = [...eligibilityFilters, ...turnFilters, ...momentaryFilters];

/** The first filter that rejects the node, or undefined. A plain loop: it runs for every node of every decision. */
export function firstRejection(filters: readonly NodeFilter[], node: WorkingNode, request: FilterRequest): NodeFilter | undefined {
  for (const filter of filters) {
    if (filter.rejects(node, request)) return filter;
  }
  return undefined;
}

import { eligibilityFilters, firstRejection, turnFilters } from '../filters/filter-chain.js';
import type { FilterRequest, NodeFilter } from '../filters/node-filter.js';
import { RemovalTally } from '../filters/removal-tally.js';
import type { LabelExpression } from '../labels/label-expression.js';
import { printLabelExpression } from '../labels/print-label-expression.js';
import type { RemovedNodes } from '../placement-decision.js';
import type { PlacementRequest } from '../placement-request.js';
import { noResources } from '../resources.js';
import type { EligibilityClass } from '../selectors/selector.js';
import type { WorkingNode } from './working-node.js';

/** Requests with the same key fit on the same nodes and take the same limits: what one found out holds for the others. */
export function shapeKey(request: PlacementRequest): string {
  const { cpuMillis, memoryMib, diskMib, gpuCount } = request.resources;
  const avoided = request.avoidNodeIds.length === 0 ? '' : JSON.stringify([...request.avoidNodeIds].sort());
  const takes = request.takes === undefined ? '' : ` ${JSON.stringify(request.takes.map(({ limit, slots }) => [limit, slots]))}`;
  return `${cpuMillis} ${memoryMib} ${diskMib} ${gpuCount} ${JSON.stringify([request.runtime, request.labels])} ${avoided}${takes}${request.needsMasking ? ' masking' : ''}${request.needsFiles ? ' files' : ''}`;
}

/** An eligibility class as found among the pool's nodes, with those that labels or runtime keep out of it. */
export interface FoundEligibility extends EligibilityClass {
  removed: readonly RemovedNodes[];
}

/** What is known about the requests of one shape for the whole turn. */
export interface RequestShape {
  filterRequest: FilterRequest;
  avoidNodeIds: ReadonlySet<string>;
  eligibility: EligibilityClass;
  /** Members of the class that pass every filter which no placement can change, in id order. */
  inService: readonly WorkingNode[];
  /** The nodes that are not in service for this shape. */
  removed: readonly RemovedNodes[];
}

/** Splits nodes into those that pass the filters and the tally of those that do not. */
function sift(nodes: readonly WorkingNode[], filters: readonly NodeFilter[], request: FilterRequest) {
  const tally = new RemovalTally();
  const passed = nodes.filter((node) => {
    const rejecting = firstRejection(filters, node, request);
    if (rejecting !== undefined) tally.count(rejecting.name, node, () => rejecting.summary(request, node));
    return rejecting === undefined;
  });
  return { passed, removed: tally.list() };
}

/** The class key is the canonical expression and the runtime, so that it outlives changes of membership. */
export function findEligibility(nodes: readonly WorkingNode[], labels: LabelExpression | null, runtime: string | null): FoundEligibility {
  const key = `runtime ${runtime ?? '*'} labels ${labels === null ? '*' : printLabelExpression(labels)}`;
  const { passed, removed } = sift(nodes, eligibilityFilters, { labels, runtime, resources: noResources });
  return { key, members: passed, removed };
}

export function findShape(request: PlacementRequest, labels: LabelExpression | null, eligibility: FoundEligibility): RequestShape {
  const filterRequest = {
    labels,
    runtime: request.runtime,
    resources: request.resources,
    needsMasking: request.needsMasking,
    needsFiles: request.needsFiles,
  };
  const { passed, removed } = sift(eligibility.members, turnFilters, filterRequest);
  return {
    filterRequest,
    avoidNodeIds: new Set(request.avoidNodeIds),
    eligibility,
    inService: passed,
    removed: [...eligibility.removed, ...removed],
  };
}

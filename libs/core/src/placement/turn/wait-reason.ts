import { inEnglish } from '../../phrases/index.js';
import { allFilters, firstRejection } from '../filters/filter-chain.js';
import { loadThresholdFilter } from '../filters/load-threshold.filter.js';
import type { FilterRequest, NodeFilter } from '../filters/node-filter.js';
import { performanceFilter } from '../filters/performance.filter.js';
import type { LabelSyntaxError } from '../labels/label-tokens.js';
import type { WaitCode } from '../placement-decision.js';
import type { SelectorName } from '../placement-policy.js';
import { resourcesText } from '../resource-text.js';
import type { WaitValues } from '../wait-values.js';
import type { WorkingNode } from './working-node.js';

export interface WaitReason {
  code: WaitCode;
  reason: string;
  values: WaitValues;
}

interface RejectedNode {
  node: WorkingNode;
  filter: NodeFilter;
}

const maxNamed = 3;

export const noNodeReason: WaitReason = { code: 'no-node', reason: 'the pool has no node yet; starts when one joins', values: {} };

export function invalidLabelsReason(labels: string | null, error: LabelSyntaxError): WaitReason {
  const reason = `labels "${labels}": ${inEnglish(error.text)}; mend the expression and run the task again`;
  return { code: 'invalid-labels', reason, values: { labels: labels ?? '' } };
}

/** For candidates to which the pool's selector gives no weight at all; they are never picked from uniformly instead. */
export function noWeightReason(selector: SelectorName, candidates: readonly WorkingNode[]): WaitReason {
  const named = candidates.slice(0, maxNamed).map(({ snapshot }) => `${snapshot.name} (performance ${snapshot.performance})`);
  const reason = `${selector} gives none of ${candidates.length} fitting nodes a weight: ${named.join(', ')}; check their performance and the pool's policy`;
  const nodes = candidates.slice(0, maxNamed).map(({ snapshot }) => ({
    node: snapshot.name,
    obstacle: { code: 'no-performance' as const, performance: snapshot.performance },
  }));
  return { code: 'unschedulable', reason, values: { nodes, more: candidates.length - nodes.length } };
}

/** Why none of the nodes can take the request now: the nearest obstacle decides, of "full", "overloaded", "performance 0", "out of service", "never". */
export function explainWait(nodes: readonly WorkingNode[], request: FilterRequest): WaitReason {
  if (nodes.length === 0) return noNodeReason;
  const rejected = nodes.flatMap((node) => {
    const filter = firstRejection(allFilters, node, request);
    return filter === undefined ? [] : [{ node, filter }];
  });
  const full = rejected.filter(({ filter }) => filter.duration === 'momentary');
  if (full.length > 0) {
    const reason = `every node that fits is full: ${nameSome(full, request)}; starts when one has room`;
    return { code: 'no-capacity', reason, values: valuesOf(full, request) };
  }
  const outOfService = rejected.filter(({ filter }) => filter.duration === 'standing');
  if (outOfService.length === 0) return infeasible(rejected, request);
  const overloaded = outOfService.filter(({ filter }) => filter === loadThresholdFilter);
  if (overloaded.length > 0) {
    return {
      code: 'overloaded',
      reason: `every node in service that fits has too much to do: ${nameSome(overloaded, request)}; starts when the load of one falls`,
      values: valuesOf(overloaded, request),
    };
  }
  const withoutPerformance = outOfService.filter(({ filter }) => filter === performanceFilter);
  if (withoutPerformance.length > 0) return unschedulable(withoutPerformance, request);
  return {
    code: 'no-eligible-node',
    reason: `every node that fits is out of service: ${nameSome(outOfService, request)}; starts when one is back`,
    values: valuesOf(outOfService, request),
  };
}

function unschedulable(rejected: readonly RejectedNode[], request: FilterRequest): WaitReason {
  const reason = `no node in service that fits may be picked: ${nameSome(rejected, request)}; measure its performance or declare its speed`;
  return { code: 'unschedulable', reason, values: valuesOf(rejected, request) };
}

function infeasible(rejected: readonly RejectedNode[], request: FilterRequest): WaitReason {
  const asks = [
    `asks ${resourcesText(request.resources)}`,
    ...(request.runtime === null ? [] : [`runtime ${request.runtime}`]),
    ...(request.labels === null ? [] : ['its labels']),
  ].join(', ');
  const advice = 'ask for less, change labels or runtime, or add a node that fits';
  const reason = `no node of the pool could ever run this (${asks}): ${nameSome(rejected, request)}; ${advice}`;
  const asked = { ...request.resources, runtime: request.runtime, labels: request.labels !== null };
  return { code: 'infeasible', reason, values: { ...valuesOf(rejected, request), asks: asked } };
}

function valuesOf(rejected: readonly RejectedNode[], request: FilterRequest): WaitValues {
  const nodes = rejected
    .slice(0, maxNamed)
    .map(({ node, filter }) => ({ node: node.snapshot.name, obstacle: filter.obstacle(node, request) }));
  return { nodes, more: rejected.length - nodes.length };
}

function nameSome(rejected: readonly RejectedNode[], request: FilterRequest): string {
  const named = rejected.slice(0, maxNamed).map(({ node, filter }) => `${node.snapshot.name} ${filter.detail(node, request)}`);
  const more = rejected.length - named.length;
  return named.join(', ') + (more > 0 ? `, and ${more} more` : '');
}

import { phrase } from '../../phrases/index.js';
import { matchesLabels } from '../labels/match-labels.js';
import { printLabelExpression } from '../labels/print-label-expression.js';
import type { FilterRequest, NodeFilter } from './node-filter.js';

function expressionText(request: FilterRequest): string {
  return request.labels === null ? '' : printLabelExpression(request.labels);
}

/** Keeps nodes whose labels satisfy the request's expression. */
export const labelsFilter: NodeFilter = {
  name: 'labels',
  duration: 'permanent',
  rejects: (node, request) => request.labels !== null && !matchesLabels(request.labels, node.labels),
  summary: (request) => phrase('removed-labels', { labels: expressionText(request) }),
  obstacle: (_node, request) => ({ code: 'labels-differ', labels: expressionText(request) }),
  detail: (_node, request) => `does not match ${expressionText(request)}`,
};

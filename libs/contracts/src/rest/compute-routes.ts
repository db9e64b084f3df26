import { rangeQuerySchema } from './history.js';
import { changeNodesSchema, nodeLoadHistorySchema, nodesChangeSchema } from './nodes.js';
import { distributionQuerySchema, placementPageSchema, placementQuerySchema, poolDistributionSchema } from './placements.js';
import type { RestRoute } from './route.js';

/** Nodes in bulk and over time, and what placement came to. */
export const computeRoutes = {
  changeNodes: {
    method: 'POST',
    path: '/nodes/changes',
    summary: 'Cordon or drain many nodes at once; `dryRun` counts what it would hit',
    body: changeNodesSchema,
    answer: nodesChangeSchema,
  },
  getNodeLoad: {
    method: 'GET',
    path: '/nodes/:id/load',
    summary: "A node's CPU used and reserved, over time",
    query: rangeQuerySchema,
    answer: nodeLoadHistorySchema,
  },
  getPoolDistribution: {
    method: 'GET',
    path: '/pools/:id/distribution',
    summary: 'Placements per node against what the weights let expect',
    query: distributionQuerySchema,
    answer: poolDistributionSchema,
  },
  listPlacements: {
    method: 'GET',
    path: '/placements',
    summary: 'Placement decisions, the newest first',
    query: placementQuerySchema,
    answer: placementPageSchema,
  },
} as const satisfies Record<string, RestRoute>;

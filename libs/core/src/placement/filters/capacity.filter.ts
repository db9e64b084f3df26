import { amountText, resourcesText, unitText } from '../resource-text.js';
import { firstShortage, resourcesFit, subtractResources } from '../resources.js';
import type { NodeFilter } from './node-filter.js';

/** Keeps nodes whose unreserved capacity holds the request. */
export const capacityFilter: NodeFilter = {
  name: 'capacity',
  duration: 'momentary',
  rejects: (node, { resources }) => !resourcesFit(resources, node.free),
  summary: ({ resources }) => `not enough unreserved for ${resourcesText(resources)}`,
  detail: (node, { resources }) => {
    const { capacity } = node.snapshot;
    const short = firstShortage(resources, node.free) ?? 'cpuMillis';
    const reserved = subtractResources(capacity, node.free)[short];
    return `${amountText(short, reserved)} of ${amountText(short, capacity[short])} ${unitText(short)} reserved`;
  },
};

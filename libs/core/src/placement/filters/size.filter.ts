import { phrase } from '../../phrases/index.js';
import { amountText, resourcesPhrase, unitText } from '../resource-text.js';
import { firstShortage, resourcesFit } from '../resources.js';
import type { NodeFilter } from './node-filter.js';

/** Keeps nodes whose whole capacity would hold the request, were they empty. */
export const sizeFilter: NodeFilter = {
  name: 'size',
  duration: 'permanent',
  rejects: (node, { resources }) => !resourcesFit(resources, node.snapshot.capacity),
  summary: ({ resources }) => phrase('removed-too-small', { asked: resourcesPhrase(resources) }),
  obstacle: (node, { resources }) => {
    const resource = firstShortage(resources, node.snapshot.capacity) ?? 'cpuMillis';
    return { code: 'too-small', resource, capacity: node.snapshot.capacity[resource], asked: resources[resource] };
  },
  detail: (node, { resources }) => {
    const short = firstShortage(resources, node.snapshot.capacity) ?? 'cpuMillis';
    return `has ${amountText(short, node.snapshot.capacity[short])} ${unitText(short, node.snapshot.capacity[short])} of ${amountText(short, resources[short])} asked`;
  },
};

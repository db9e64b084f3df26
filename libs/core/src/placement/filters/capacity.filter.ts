import { phrase } from '../../phrases/index.js';
import { amountText, resourcesPhrase, unitText } from '../resource-text.js';
import { firstShortage, type Resources, resourcesFit, subtractResources } from '../resources.js';
import type { WorkingNode } from '../turn/working-node.js';
import type { NodeFilter } from './node-filter.js';

/** Keeps nodes whose unreserved capacity holds the request. */
export const capacityFilter: NodeFilter = {
  name: 'capacity',
  duration: 'momentary',
  rejects: (node, { resources }) => !resourcesFit(resources, node.free),
  summary: ({ resources }) => phrase('removed-no-room', { asked: resourcesPhrase(resources) }),
  detail: (node, { resources }) => {
    const { resource, reserved, capacity } = shortage(node, resources);
    return `${amountText(resource, reserved)} of ${amountText(resource, capacity)} ${unitText(resource, capacity)} reserved`;
  },
  obstacle: (node, { resources }) => ({ code: 'reserved', ...shortage(node, resources) }),
};

/** The first resource of which too little is unreserved. */
function shortage({ snapshot, free }: WorkingNode, asked: Resources) {
  const resource = firstShortage(asked, free) ?? 'cpuMillis';
  return { resource, reserved: subtractResources(snapshot.capacity, free)[resource], capacity: snapshot.capacity[resource] };
}

import type { NodeSortKey } from '@medley/contracts';
import { type ListColumn, sortBy } from '../../lists/list-column.js';

const by = (key: NodeSortKey) => ({ isNumber: true, sort: sortBy(key, 'descending') });

export const nodeColumns: ListColumn[] = [
  { name: 'name', label: 'nodes.name', isFixed: true, sort: sortBy('name') },
  { name: 'state', label: 'nodes.state', sort: sortBy('since') },
  { name: 'pool', label: 'nodes.pool' },
  { name: 'performance', label: 'nodes.performance', ...by('performance') },
  { name: 'load', label: 'nodes.load', ...by('load') },
  { name: 'cpu', label: 'nodes.reservedCpu', ...by('cpu') },
  { name: 'memory', label: 'nodes.reservedMemory', ...by('memory') },
  { name: 'attempts', label: 'nodes.attempts', ...by('attempts') },
  { name: 'labels', label: 'nodes.labels' },
];

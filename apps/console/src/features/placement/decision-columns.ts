import type { ListColumn } from '../../lists/list-column.js';

export const decisionColumns: ListColumn[] = [
  { name: 'decided', label: 'placement.decided' },
  { name: 'task', label: 'distribution.task', isFixed: true },
  { name: 'node', label: 'nodes.node' },
  { name: 'candidates', label: 'distribution.candidates', isNumber: true },
  { name: 'best', label: 'distribution.best' },
  { name: 'removed', label: 'distribution.removed' },
];

import { type ListColumn, sortBy } from '../../lists/list-column.js';

export const auditColumns: ListColumn[] = [
  { name: 'at', label: 'audit.at', isFixed: true, sort: sortBy('at', 'descending') },
  { name: 'actor', label: 'audit.actor' },
  { name: 'action', label: 'audit.actionLabel', isFixed: true },
  { name: 'thing', label: 'audit.thing' },
  { name: 'project', label: 'access.project' },
  { name: 'outcome', label: 'audit.outcomeLabel' },
  { name: 'fields', label: 'audit.fields' },
];

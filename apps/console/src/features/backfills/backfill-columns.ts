import { type ListColumn, sortBy } from '../../lists/list-column.js';

/** What stands in the list of backfills of a schedule. */
export const backfillColumns: ListColumn[] = [
  { name: 'range', label: 'backfill.range', isFixed: true, sort: sortBy('from', 'descending') },
  { name: 'state', label: 'backfill.stateHead', sort: sortBy('state') },
  { name: 'progress', label: 'backfill.progressHead', sort: sortBy('total', 'descending') },
  { name: 'which', label: 'backfill.which' },
  { name: 'order', label: 'backfill.order', isExtra: true },
  { name: 'parallel', label: 'backfill.parallel', isNumber: true, isExtra: true },
  { name: 'version', label: 'backfill.versionHead', isNumber: true, isExtra: true },
  { name: 'createdBy', label: 'backfill.createdBy', sort: sortBy('createdBy') },
  { name: 'created', label: 'backfill.created', sort: sortBy('created', 'descending') },
];

import { type ListColumn, sortBy } from '../../lists/list-column.js';

export const sessionColumns: ListColumn[] = [
  { name: 'user', label: 'access.user', isFixed: true, sort: sortBy('user') },
  { name: 'browser', label: 'access.browser', isFixed: true },
  { name: 'address', label: 'access.address', sort: sortBy('address') },
  { name: 'begun', label: 'access.begun', sort: sortBy('created', 'descending') },
  { name: 'lastSeen', label: 'access.lastSeen', sort: sortBy('lastSeen', 'descending') },
  { name: 'expires', label: 'access.expires', sort: sortBy('expires') },
];

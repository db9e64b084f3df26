import type { ListColumn } from '../../lists/list-column.js';

export const sessionColumns: ListColumn[] = [
  { name: 'user', label: 'access.user', isFixed: true },
  { name: 'browser', label: 'access.browser', isFixed: true },
  { name: 'address', label: 'access.address' },
  { name: 'begun', label: 'access.begun' },
  { name: 'lastSeen', label: 'access.lastSeen' },
  { name: 'expires', label: 'access.expires' },
];

import { type ListColumn, sortBy } from '../../lists/list-column.js';

/** What every kind of token has. */
const ends: ListColumn[] = [
  { name: 'status', label: 'tokens.status' },
  { name: 'created', label: 'tokens.created', sort: sortBy('created', 'descending') },
  { name: 'expires', label: 'tokens.expires', sort: sortBy('expires') },
];

export const ownTokenColumns: ListColumn[] = [
  { name: 'name', label: 'tokens.name', isFixed: true, sort: sortBy('name') },
  { name: 'scopes', label: 'tokens.scopes' },
  { name: 'project', label: 'tokens.project' },
  { name: 'lastUsed', label: 'tokens.lastUsed', sort: sortBy('lastUsed', 'descending') },
  ...ends,
];

const [name, ...others] = ownTokenColumns;
export const allTokenColumns: ListColumn[] = [
  name!,
  { name: 'owner', label: 'tokens.owner', isFixed: true, sort: sortBy('user') },
  ...others,
];

export const joinTokenColumns: ListColumn[] = [
  { name: 'pool', label: 'nodes.pool', isFixed: true, sort: sortBy('pool') },
  { name: 'labels', label: 'nodes.labels' },
  { name: 'declaredSpeed', label: 'nodes.declaredSpeed', isNumber: true },
  { name: 'uses', label: 'tokens.uses', isNumber: true, sort: sortBy('uses', 'descending') },
  ...ends,
];

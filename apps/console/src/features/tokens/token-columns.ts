import type { ListColumn } from '../../lists/list-column.js';

/** What every kind of token has. */
const ends: ListColumn[] = [
  { name: 'status', label: 'tokens.status' },
  { name: 'created', label: 'tokens.created' },
  { name: 'expires', label: 'tokens.expires' },
];

export const ownTokenColumns: ListColumn[] = [
  { name: 'name', label: 'tokens.name', isFixed: true },
  { name: 'scopes', label: 'tokens.scopes' },
  { name: 'project', label: 'tokens.project' },
  { name: 'lastUsed', label: 'tokens.lastUsed' },
  ...ends,
];

const [name, ...others] = ownTokenColumns;
export const allTokenColumns: ListColumn[] = [name!, { name: 'owner', label: 'tokens.owner', isFixed: true }, ...others];

export const joinTokenColumns: ListColumn[] = [
  { name: 'pool', label: 'nodes.pool', isFixed: true },
  { name: 'labels', label: 'nodes.labels' },
  { name: 'declaredSpeed', label: 'nodes.declaredSpeed', isNumber: true },
  { name: 'uses', label: 'tokens.uses', isNumber: true },
  ...ends,
];

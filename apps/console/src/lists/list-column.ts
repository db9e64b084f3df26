/** The two words of the address under which the server sorts by a column, the one that a first press gives first. */
export interface ColumnSort {
  ascending: string;
  descending: string;
  first: 'ascending' | 'descending';
}

/** A column of a list. Its cells are the slot of the list that has its name. */
export interface ListColumn {
  name: string;
  /** Key of the text at its head. */
  label: string;
  isNumber?: boolean;
  /** Stands in every row whatever is chosen: what a row is known by. */
  isFixed?: boolean;
  /** Left out until somebody asks for it. */
  isExtra?: boolean;
  sort?: ColumnSort;
}

/** The order of a column that the server knows as `key`, and as `-key` the other way round. Numbers are best begun with the largest. */
export function sortBy(key: string, first: ColumnSort['first'] = 'ascending'): ColumnSort {
  return { ascending: key, descending: `-${key}`, first };
}

/** What a press on the head of a column makes of the order `now`. */
export function turnedSort(sort: ColumnSort, now: string): string {
  if (now === sort.ascending) return sort.descending;
  if (now === sort.descending) return sort.ascending;
  return sort[sort.first];
}

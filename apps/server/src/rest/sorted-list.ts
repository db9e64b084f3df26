import { AppError, phrase } from '@medley/core';
import { decodeCursor, pageOfRows } from './cursor.js';

/** A column that a list may be sorted by. Its values go through the cursor as text. */
export interface SortColumn {
  sql: string;
  type: 'text' | 'timestamptz' | 'int' | 'uuid';
}

export interface ListOrder {
  /** The column's value as text, for the cursor. */
  select: string;
  /** The condition under which a row comes after the position; always true at the start. `value` and `id` are the numbers of its parameters. */
  after: (value: number, id: number) => string;
  orderBy: string;
  position: [value: string | null, id: string | null];
}

const forms: Record<SortColumn['type'], RegExp> = {
  text: /^[^\0]*$/,
  int: /^-?\d{1,9}$/,
  timestamptz: /^(-?infinity|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?[+-]\d\d(:?\d\d)?)$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
};

/** The order of a list by `sort`, one of `columns` with a `-` before it for the other way round; the id, a uuid unless it is said to be text, decides between equals. Throws cursor-invalid. */
export function listOrder(
  columns: Readonly<Record<string, SortColumn>>,
  sort: string,
  list: { kind: string; cursor: string | undefined; id: string; idType?: 'uuid' | 'text' },
): ListOrder {
  const { sql, type } = columns[sort.replace(/^-/, '')]!;
  const idType = list.idType ?? 'uuid';
  const [direction, comparison] = sort.startsWith('-') ? ['desc', '<'] : ['asc', '>'];
  const position = decodeCursor(list.kind, list.cursor, 2) as [string, string] | null;
  if (position && !(forms[type].test(position[0]) && forms[idType].test(position[1])))
    throw new AppError('cursor-invalid', phrase('cursor-altered'));
  return {
    select: `(${sql})::text`,
    after: (value, id) => `($${value}::${type} is null or (${sql}, ${list.id}) ${comparison} ($${value}::${type}, $${id}::${idType}))`,
    orderBy: `${sql} ${direction}, ${list.id} ${direction}`,
    position: position ?? [null, null],
  };
}

/** A row of such a list: the answer's own columns, and its place in the order. */
export interface SortedRow {
  id: string;
  sortText: string;
}

/** As `pageOfRows`, of rows that are read in the order of `listOrder`, whose `select` is their `sortText`. */
export function pageOfSorted<Row extends SortedRow, Item>(
  rows: readonly Row[],
  limit: number,
  kind: string,
  item: (row: Omit<Row, 'sortText'>) => Item,
): { items: Item[]; nextCursor: string | null } {
  return pageOfRows(
    rows,
    limit,
    kind,
    (row) => [row.sortText, row.id],
    ({ sortText: _, ...row }) => item(row),
  );
}

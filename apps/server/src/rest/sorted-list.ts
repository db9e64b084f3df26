import { AppError, phrase } from '@medley/core';
import { decodeCursor } from './cursor.js';

/** A column that a list may be sorted by. Its values go through the cursor as text. */
export interface SortColumn {
  sql: string;
  type: 'text' | 'timestamptz' | 'int';
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
  timestamptz: /^(infinity|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?[+-]\d\d(:?\d\d)?)$/,
};
const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The order of a list by `sort`, one of `columns` with a `-` before it for the other way round; the id decides between equals. Throws cursor-invalid. */
export function listOrder(
  columns: Readonly<Record<string, SortColumn>>,
  sort: string,
  list: { kind: string; cursor: string | undefined; id: string },
): ListOrder {
  const { sql, type } = columns[sort.replace(/^-/, '')]!;
  const [direction, comparison] = sort.startsWith('-') ? ['desc', '<'] : ['asc', '>'];
  const position = decodeCursor(list.kind, list.cursor, 2) as [string, string] | null;
  if (position && !(forms[type].test(position[0]) && idForm.test(position[1])))
    throw new AppError('cursor-invalid', phrase('cursor-altered'));
  return {
    select: `(${sql})::text`,
    after: (value, id) => `($${value}::${type} is null or (${sql}, ${list.id}) ${comparison} ($${value}::${type}, $${id}::uuid))`,
    orderBy: `${sql} ${direction}, ${list.id} ${direction}`,
    position: position ?? [null, null],
  };
}

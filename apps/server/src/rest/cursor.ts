import { createHash } from 'node:crypto';
import { AppError, phrase } from '@medley/core';
import { canonicalJson } from './canonical-json.js';

/** The kind of a list's cursors: the list and a digest of its filter, since a position means nothing among other rows. */
export function listKind(list: string, filter: Readonly<Record<string, unknown>>): string {
  const { limit: _limit, cursor: _cursor, ...rest } = filter;
  return `${list} ${createHash('sha256').update(canonicalJson(rest)).digest('base64url').slice(0, 11)}`;
}

/** Position after the last item of a page, opaque to clients. `kind` keeps a cursor of one list from being used in another. */
export function encodeCursor(kind: string, position: readonly string[]): string {
  return Buffer.from(JSON.stringify([kind, ...position])).toString('base64url');
}

/** The position in a cursor, or null when there is none. Throws cursor-invalid for one of another list or filter or a mangled one. */
export function decodeCursor(kind: string, cursor: string | undefined, parts: number): string[] | null {
  if (cursor === undefined) return null;
  const decoded = parse(cursor);
  if (decoded?.[0] === kind && decoded.length === parts + 1) return decoded.slice(1);
  throw cursorInvalid();
}

function cursorInvalid(): AppError {
  return new AppError('cursor-invalid', phrase('cursor-of-other-list'));
}

/** The cursor of an id list: null at the start. */
export function decodeIdCursor(kind: string, cursor: string | undefined): string | null {
  const id = decodeCursor(kind, cursor, 1)?.[0];
  if (id === undefined) return null;
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw cursorInvalid();
  return id;
}

function parse(cursor: string): string[] | null {
  try {
    const decoded: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(decoded) && decoded.every((part) => typeof part === 'string') ? decoded : null;
  } catch {
    return null;
  }
}

/** Cuts the row that was read beyond the limit off and names the position after the last one kept. */
export function pageOfRows<Row, Item>(
  rows: readonly Row[],
  limit: number,
  kind: string,
  position: (row: Row) => string[],
  item: (row: Row) => Item,
): { items: Item[]; nextCursor: string | null } {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  return { items: kept.map(item), nextCursor: rows.length > limit && last ? encodeCursor(kind, position(last)) : null };
}

import { isMap } from '@medley/contracts';
import { canonicalJson } from '../rest/canonical-json.js';

type State = Readonly<Record<string, unknown>>;

/** Bytes of what was, and of what is, that are kept of one change; of one field of it. */
const STATE_BYTES = 16_384;
const FIELD_BYTES = 4096;

/** What differs between two states, each side with its own values; a side without any is null. Maps are compared field by field, everything else as a whole. */
export function stateChange(before: State | null, after: State | null): { before: State | null; after: State | null } {
  if (before === null || after === null) return { before, after };
  const was: Record<string, unknown> = {};
  const is: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (canonicalJson(before[key]) === canonicalJson(after[key])) continue;
    const inner =
      isMap(before[key]) && isMap(after[key]) ? stateChange(before[key], after[key]) : { before: before[key], after: after[key] };
    if (inner.before !== undefined && inner.before !== null) was[key] = inner.before;
    if (inner.after !== undefined && inner.after !== null) is[key] = inner.after;
    if (Object.hasOwn(before, key) && before[key] === null) was[key] = null;
    if (Object.hasOwn(after, key) && after[key] === null) is[key] = null;
  }
  return { before: orNull(was), after: orNull(is) };
}

/** At most sixteen KiB: the fields that are too large, the later ones first, are replaced by a word about their size. */
export function capped(state: State | null): State | null {
  if (state === null) return null;
  let left = STATE_BYTES;
  const entries = Object.entries(state).map(([key, value]) => {
    const bytes = Buffer.byteLength(JSON.stringify(value) ?? '');
    const kept = bytes <= FIELD_BYTES && bytes + key.length <= left;
    left -= kept ? bytes + key.length : 0;
    return [key, kept ? value : `(left out: ${bytes} bytes)`] as const;
  });
  return Object.fromEntries(entries.slice(0, 200));
}

function orNull(state: State): State | null {
  return Object.keys(state).length === 0 ? null : state;
}

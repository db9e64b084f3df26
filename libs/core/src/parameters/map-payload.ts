import { type FieldError, fieldError } from '../errors/index.js';
import { phrase } from '../phrases/index.js';

/** A JSON Pointer (RFC 6901) as its steps, or null when the text is none. */
export function readPointer(pointer: string): string[] | null {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return null;
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What a pointer points at; undefined when there is nothing. */
export function pointAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const step of readPointer(pointer) ?? ['']) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

export type MappedPayload = { values: Record<string, unknown>; missing: FieldError[] };

/**
 * The parameters that a payload gives. With a map, each is what its pointer finds and anything else of the payload is passed over; without one, the fields of the payload
 * are parameters by their names. `optional` names those that have a value without the payload too: a pointer that finds nothing is a fault for the others only.
 */
export function mapPayload(
  payload: Readonly<Record<string, unknown>>,
  map: Readonly<Record<string, string>> | null,
  optional: ReadonlySet<string>,
): MappedPayload {
  if (map === null) return { values: { ...payload }, missing: [] };
  const values: Record<string, unknown> = {};
  const missing: FieldError[] = [];
  for (const [name, pointer] of Object.entries(map)) {
    const value = pointAt(payload, pointer);
    if (value !== undefined) values[name] = value;
    else if (!optional.has(name)) missing.push(fieldError(`parameters.${name}`, phrase('payload-has-nothing', { pointer })));
  }
  return { values, missing };
}

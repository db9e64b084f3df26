import { type FieldError, fieldError, hintOf, nearestName, phrase } from '@medley/core';
import type { z } from 'zod';

interface Definition {
  type: string;
  innerType?: z.ZodType;
  in?: z.ZodType;
  getter?: () => z.ZodType;
  shape?: Record<string, z.ZodType>;
  catchall?: z.ZodType;
  element?: z.ZodType;
  valueType?: z.ZodType;
  options?: z.ZodType[];
  discriminator?: string;
  values?: unknown[];
}

const definitionOf = (schema: z.ZodType) => schema._zod.def as unknown as Definition;

/** What a key is called to the caller. */
type KeyKind = keyof typeof kinds;

const kinds = {
  field: phrase('a-field'),
  'query parameter': phrase('a-query-parameter'),
  'field of no body': phrase('a-field-of-no-body'),
  'query parameter of none': phrase('a-query-parameter-of-none'),
} as const;

/** A mistyped name is told with the nearest known one, and with all when they are few. */
const MAX_LISTED = 20;

/**
 * Every key of a value, at any depth, that its schema does not know: a mistyped key that is dropped in silence looks as if it had worked. Maps whose keys are
 * the caller's (records, loose objects) have none. `kind` is what a key is called: a field, a query parameter.
 */
export function unknownKeys(schema: z.ZodType, value: unknown, kind: KeyKind, path: readonly PropertyKey[] = []): FieldError[] {
  const { type, innerType, in: input, getter, element, valueType, options, discriminator } = definitionOf(schema);
  if (type === 'object') return keysOfObject(schema, value, kind, path);
  if (type === 'array') return each(Array.isArray(value) ? value.entries() : [], () => element!, kind, path);
  if (type === 'record') return each(entriesOf(value), () => valueType!, kind, path);
  if (type === 'union') return keysOfUnion(options!, discriminator, value, kind, path);
  const wrapped = innerType ?? input ?? getter?.();
  return wrapped ? unknownKeys(wrapped, value, kind, path) : [];
}

/** The same where nothing is taken at all. */
export function everyKeyUnknown(value: unknown, kind: KeyKind): FieldError[] {
  return entriesOf(value).map(([key]) => unknownKey(key, [], kind, []));
}

function keysOfObject(schema: z.ZodType, value: unknown, kind: KeyKind, path: readonly PropertyKey[]): FieldError[] {
  const { shape, catchall } = definitionOf(schema);
  const open = catchall !== undefined && definitionOf(catchall).type !== 'never';
  const known = Object.keys(shape!);
  const foreign = open ? [] : entriesOf(value).filter(([key]) => !Object.hasOwn(shape!, key));
  const inner = entriesOf(value).filter(([key]) => Object.hasOwn(shape!, key));
  return [...foreign.map(([key]) => unknownKey(key, known, kind, path)), ...each(inner, (key) => shape![key as string]!, kind, path)];
}

/** Of several forms the one that the discriminator names, otherwise the one that fits best. */
function keysOfUnion(
  options: z.ZodType[],
  discriminator: string | undefined,
  value: unknown,
  kind: KeyKind,
  path: readonly PropertyKey[],
): FieldError[] {
  const meant = discriminator === undefined ? options : options.filter((option) => isNamed(option, discriminator, value));
  const found = meant.map((option) => unknownKeys(option, value, kind, path));
  return found.sort((left, right) => left.length - right.length)[0] ?? [];
}

function isNamed(option: z.ZodType, discriminator: string, value: unknown): boolean {
  const literal = definitionOf(option).shape?.[discriminator];
  const named = entriesOf(value).find(([key]) => key === discriminator)?.[1];
  return literal !== undefined && (definitionOf(literal).values ?? []).includes(named);
}

function each(
  items: Iterable<[PropertyKey, unknown]>,
  schemaOf: (key: PropertyKey) => z.ZodType,
  kind: KeyKind,
  path: readonly PropertyKey[],
): FieldError[] {
  return [...items].flatMap(([key, item]) => unknownKeys(schemaOf(key), item, kind, [...path, key]));
}

function unknownKey(key: string, known: readonly string[], kind: KeyKind, path: readonly PropertyKey[]): FieldError {
  const nearest = nearestName(key, known);
  const text = phrase('unknown-field', { kind: kinds[kind], hint: hintOf(nearest) });
  const expected = known.length > 0 && known.length <= MAX_LISTED ? phrase('one-of', { names: known }) : undefined;
  return fieldError([...path, key].join('.'), text, expected);
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

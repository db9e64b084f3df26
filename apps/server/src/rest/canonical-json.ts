import { isMap } from '@medley/contracts';

/** The same text for the same value: the order of keys, which jsonb does not keep, does not count. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner) => (isMap(inner) ? Object.fromEntries(Object.entries(inner).sort(byKey)) : inner)) ?? 'undefined';
}

function byKey([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : 1;
}

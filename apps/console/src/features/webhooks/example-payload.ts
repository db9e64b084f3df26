import { readPointer } from '@medley/core';

/** A payload in which each pointer of a map finds something, as JSON. */
export function examplePayload(map: Readonly<Record<string, string>> | null): string {
  const payload: Record<string, unknown> = {};
  for (const pointer of Object.values(map ?? {})) {
    const steps = readPointer(pointer) ?? [];
    const last = steps.pop();
    let place = payload;
    for (const step of steps) {
      const next = place[step] ?? {};
      place[step] = next;
      place = next as Record<string, unknown>;
    }
    if (last !== undefined && typeof place === 'object') place[last] ??= '…';
  }
  return JSON.stringify(payload);
}

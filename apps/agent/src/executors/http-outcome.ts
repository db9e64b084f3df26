import type { PhraseValue } from '@medley/core';

/** Statuses as a person would list them: neighbours as a range, e.g. "200 to 206, 301". */
export function describeStatuses(statuses: readonly number[]): PhraseValue[] {
  const ranges: [number, number][] = [];
  for (const status of [...new Set(statuses)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === status - 1) last[1] = status;
    else ranges.push([status, status]);
  }
  return ranges.map(([from, to]) => (from === to ? from : { code: 'statuses-range', values: { from, to } }));
}

/** The cause behind fetch's "fetch failed", as a person would say it. */
export function describeNetworkError(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) {
    return String(cause);
  }
  const code = (cause as NodeJS.ErrnoException).code;
  return code !== undefined && !cause.message.includes(code) ? `${code} ${cause.message}`.trim() : cause.message || cause.name;
}

/** An address as it may stand in a log: without query and user information, where tokens like to be. */
export function addressOf(url: string): string {
  try {
    const { origin, pathname } = new URL(url);
    return origin + pathname;
  } catch {
    return 'an invalid address';
  }
}

const secondsPerUnit: Record<string, number> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

/** Longest duration that is accepted; more is a slip of the unit. */
export const maxDurationSeconds = 366 * 86_400;

/** A duration such as `30m` or `1h30m` in seconds; null when it is not one. A unit is mandatory. */
export function parseDuration(text: string): number | null {
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) return null;
  let seconds = 0;
  let lastUnitSeconds = Number.POSITIVE_INFINITY;
  for (const [, digits, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    const unitSeconds = secondsPerUnit[unit!]!;
    if (unitSeconds >= lastUnitSeconds) return null;
    seconds += Number(digits) * unitSeconds;
    lastUnitSeconds = unitSeconds;
  }
  return Number.isFinite(seconds) ? Math.round(seconds * 1000) / 1000 : null;
}

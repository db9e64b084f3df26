/** The smallest value that at least `share` (0 to 1) of the values do not exceed (nearest rank). NaN for no values. */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number;
}

/** The middle value; the mean of the two middle ones for an even count. NaN for no values. */
export function median(values: readonly number[]): number {
  return (percentile(values, 0.5) + percentile(negated(values), 0.5) * -1) / 2;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function negated(values: readonly number[]): number[] {
  return values.map((value) => -value);
}

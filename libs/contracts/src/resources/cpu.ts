/** More cores than any machine has; more is a slip. */
export const maxCpuCores = 4096;

/** Cores in thousandths; null when it is not a number of cores in steps of a thousandth. */
export function parseCpuMillis(cores: unknown): number | null {
  if (typeof cores !== 'number' || !(cores >= 0 && cores <= maxCpuCores)) return null;
  const millis = Math.round(cores * 1000);
  return Math.abs(cores * 1000 - millis) < 1e-6 ? millis : null;
}

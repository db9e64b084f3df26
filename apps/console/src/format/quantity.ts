/** Cores from thousandths: `0.5`, `2`, `16`. */
export function formatCores(cpuMillis: number): string {
  return trim(cpuMillis / 1000, 2);
}

type TranslateCount = (key: string, values: Record<string, unknown>, choice: number) => string;

/** `1 core`, `0.25 cores`. */
export function coresText(cpuMillis: number, t: TranslateCount): string {
  return t('nodes.cores', { count: formatCores(cpuMillis) }, cpuMillis === 1000 ? 1 : 2);
}

/** `512 MiB`, `4 GiB`, `1.5 TiB`. */
export function formatMib(mib: number): string {
  if (mib < 1024) return `${trim(mib, 0)} MiB`;
  if (mib < 1024 * 1024) return `${trim(mib / 1024, 1)} GiB`;
  return `${trim(mib / 1024 / 1024, 1)} TiB`;
}

/** `17 B`, `1.5 KiB`, `512 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${trim(bytes / 1024, 1)} KiB` : formatMib(bytes / 1024 / 1024);
}

/** A number with at most so many decimals and no trailing zeros. */
export function trim(value: number, decimals: number): string {
  return String(Number(value.toFixed(decimals)));
}

/** `12.5 %` from a fraction of one; always one decimal, because shares stand under each other to be compared. */
export function formatShare(fraction: number): string {
  return `${(fraction * 100).toFixed(1)} %`;
}

/** The first characters of a uuid, enough to tell two apart on one screen. The random end is used: uuidv7 begins with the time. */
export function shortId(id: string): string {
  return id.slice(-8);
}

const mib = 1024 ** 2;
const bytesPerUnit: Record<string, number> = {
  KiB: 1024,
  MiB: mib,
  GiB: 1024 ** 3,
  TiB: 1024 ** 4,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
};

/** One pebibyte: more is a slip of the unit. */
export const maxDataSizeMib = 1024 ** 3;

/** A size such as `4GiB` in MiB, rounded up to whole ones; null when it is not one. A unit is mandatory. */
export function parseDataSizeMib(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)([KMGT]i?B)$/.exec(text);
  if (match === null) return null;
  const bytes = Number(match[1]) * bytesPerUnit[match[2]!]!;
  return Number.isFinite(bytes) ? Math.ceil(bytes / mib) : null;
}

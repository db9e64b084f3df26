import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ownCgroupDirectory } from '../attempts/cgroups.js';

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

/** The group itself and everything above it, as far as it is visible. */
function* upwards(directory: string | null): Generator<string> {
  for (let at = directory; at?.startsWith('/sys/fs/cgroup'); at = dirname(at)) {
    yield at;
  }
}

function smallest(values: (number | null)[]): number | null {
  const known = values.filter((value): value is number => value !== null && Number.isFinite(value) && value > 0);
  return known.length > 0 ? Math.min(...known) : null;
}

/** Thousandths of a core from a v1 quota and period (µs); null for "no quota". */
export function millisOfQuota(quota: string | null, period: string | null): number | null {
  const micros = Number(quota);
  return quota === null || !(micros > 0) || !(Number(period) > 0) ? null : Math.round((1000 * micros) / Number(period));
}

/** The cpu quota that holds for this process, in thousandths of a core; null without one. */
export function readCpuQuotaMillis(): number | null {
  const v1 = [...upwards(ownCgroupDirectory('cpu'))].map((group) =>
    millisOfQuota(read(join(group, 'cpu.cfs_quota_us')), read(join(group, 'cpu.cfs_period_us'))),
  );
  const v2 = [...upwards(ownCgroupDirectory(''))].map((group) => {
    const [quota, period] = read(join(group, 'cpu.max'))?.split(' ') ?? [];
    return millisOfQuota(quota ?? null, period ?? null);
  });
  return smallest([...v1, ...v2]);
}

/** The memory limit that holds for this process, in bytes; null without one. */
export function readMemoryLimitBytes(): number | null {
  const v1 = [...upwards(ownCgroupDirectory('memory'))].map((group) => Number(read(join(group, 'memory.limit_in_bytes')) ?? Number.NaN));
  const v2 = [...upwards(ownCgroupDirectory(''))].map((group) => Number(read(join(group, 'memory.max')) ?? Number.NaN));
  return smallest([...v1, ...v2]);
}

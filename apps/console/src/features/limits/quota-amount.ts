import type { QuotaResource } from '@medley/core';
import { formatCores, formatMib } from '../../format/quantity.js';

/** An amount of what a quota counts, with its unit where it has one. */
export function quotaAmount(resource: QuotaResource, amount: number): string {
  if (resource === 'cpuMillis') return formatCores(amount);
  return resource === 'memoryMib' ? formatMib(amount) : String(amount);
}

/** By how much a quota is counted where people write it: cores and GiB. */
export const quotaUnit: Record<QuotaResource, number> = { cpuMillis: 1000, memoryMib: 1024, gpuCount: 1, attempts: 1 };

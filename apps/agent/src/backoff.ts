import { setTimeout as delay } from 'node:timers/promises';

/** Delay before try `failures + 1`: doubles from `firstMs` up to `maxMs`, then 50–100 % of it, so that many agents do not come back at once. */
export function backoffMs(failures: number, firstMs: number, maxMs: number, random: () => number = Math.random): number {
  const full = Math.min(maxMs, firstMs * 2 ** Math.min(failures, 30));
  return full * (0.5 + random() / 2);
}

/** Waits, or returns early when the signal is aborted. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(milliseconds, undefined, signal ? { signal } : {});
  } catch {
    // Aborted: the caller looks at its signal.
  }
}

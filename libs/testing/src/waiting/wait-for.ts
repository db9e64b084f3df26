import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  /** The wait fails after this; default 30 s. */
  timeoutMs?: number;
  /** Pause between two looks; default 25 ms. */
  pollMs?: number;
  /** What is awaited, for the failure message; a function is asked at the end, so that it can tell the last state seen. */
  describe?: string | (() => string);
}

/**
 * Waits until `condition` gives something other than null, undefined or false, and returns it. An error thrown by the condition counts as
 * "not yet" and is told when the time is over.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  options: WaitOptions = {},
): Promise<Exclude<T, null | undefined | false>> {
  const { timeoutMs = 30_000, pollMs = 25 } = options;
  const deadline = performance.now() + timeoutMs;
  let lastError: unknown;
  do {
    try {
      const value = await condition();
      if (value !== null && value !== undefined && value !== false) return value as Exclude<T, null | undefined | false>;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    await delay(pollMs);
  } while (performance.now() < deadline);
  const described = typeof options.describe === 'function' ? options.describe() : options.describe;
  throw new Error(`Waited ${timeoutMs / 1000} s in vain for ${described ?? 'a condition'}`, { cause: lastError });
}

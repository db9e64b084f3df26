import { pause } from '../backoff.js';

/** Waits until the condition gives a value that is not falsy, and returns it; fails with the description when it takes too long. */
export async function waitUntil<T>(description: string, condition: () => T | Promise<T>, timeoutMs = 20_000): Promise<NonNullable<T>> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value) {
      return value as NonNullable<T>;
    }
    if (Date.now() > until) {
      throw new Error(`still waiting for: ${description}`);
    }
    await pause(20);
  }
}

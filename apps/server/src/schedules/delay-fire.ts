import { jitterMs } from '@medley/core';

/** When a fire is due if jitter moves it, or null. The fire time that its run is told stays what it is. */
export function delayedUntil({ id, jitterSeconds }: { id: string; jitterSeconds: number }, fireAt: Date | null): Date | null {
  if (fireAt === null || jitterSeconds === 0) return null;
  return new Date(fireAt.getTime() + jitterMs(id, fireAt.getTime(), jitterSeconds));
}

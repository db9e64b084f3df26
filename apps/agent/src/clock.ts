import { readFileSync } from 'node:fs';

/**
 * Milliseconds since the machine started, from the monotonic clock. The value means the same in every process of one machine boot, so a
 * deadline written by an agent that was killed still holds for the one that adopts its work.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

/** Identity of the machine's boot; process ids and monotonic times of another boot mean nothing. Empty where the system has none. */
export function readMachineBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

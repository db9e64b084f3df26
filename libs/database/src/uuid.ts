import { randomFillSync } from 'node:crypto';

const random = new Uint8Array(16 * 256);
let used = random.length;
let lastMs = 0;
let counter = 0;

/**
 * A version 7 UUID (RFC 9562): 48 bits of Unix milliseconds, a 12-bit counter within the millisecond, 62 random bits. Ids of one process
 * grow strictly, so that a keyset over ids is an order of creation.
 */
export function uuidv7(nowMs: number = Date.now()): string {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    counter = 0;
  } else if (++counter > 0xfff) {
    lastMs++;
    counter = 0;
  }
  if (used + 8 > random.length) {
    randomFillSync(random);
    used = 0;
  }
  const tail = Buffer.from(random.buffer, used, 8);
  used += 8;
  tail[0] = (tail[0]! & 0x3f) | 0x80;
  const time = lastMs.toString(16).padStart(12, '0');
  const hex = tail.toString('hex');
  const version = (0x7000 | counter).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${hex.slice(0, 4)}-${hex.slice(4)}`;
}

/** The smallest UUID a version 7 generator can yield at that instant: the bound of an id range by time. */
export function uuidv7LowerBound(atMs: number): string {
  const time = atMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

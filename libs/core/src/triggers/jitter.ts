/**
 * How long a fire is delayed, in milliseconds: the same for the same fire of the same schedule on every server and after every restart, spread evenly over the jitter.
 * The hash is FNV-1a.
 */
export function jitterMs(scheduleId: string, fireAtMs: number, jitterSeconds: number): number {
  let hash = 0x811c9dc5;
  for (const character of `${scheduleId} ${fireAtMs}`) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return Math.floor(((hash ^ (hash >>> 13)) >>> 0) * ((jitterSeconds * 1000) / 2 ** 32));
}

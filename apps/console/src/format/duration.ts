type Translate = (key: string, values: Record<string, unknown>) => string;

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** `420 ms`, `2 m 13 s`, `3 h 5 m`, `2 d 4 h`: the two largest units, nothing that would be noise. */
export function formatDuration(milliseconds: number, t: Translate): string {
  const clamped = Math.max(0, milliseconds);
  if (clamped < 1000) return t('duration.milliseconds', { ms: Math.round(clamped) });
  if (clamped < 10_000) return t('duration.seconds', { s: (Math.floor(clamped / 100) / 10).toFixed(1) });
  const seconds = Math.floor(clamped / 1000);
  if (seconds < MINUTE) return t('duration.seconds', { s: seconds });
  if (seconds < HOUR) return t('duration.minutes', { m: Math.floor(seconds / MINUTE), s: seconds % MINUTE });
  if (seconds < DAY) return t('duration.hours', { h: Math.floor(seconds / HOUR), m: Math.floor((seconds % HOUR) / MINUTE) });
  return t('duration.days', { d: Math.floor(seconds / DAY), h: Math.floor((seconds % DAY) / HOUR) });
}

/** Milliseconds between two instants; an open end counts to `now`. Null before the start. */
export function elapsedBetween(startedAt: string | null, finishedAt: string | null, now: number): number | null {
  if (startedAt === null) return null;
  return (finishedAt === null ? now : Date.parse(finishedAt)) - Date.parse(startedAt);
}

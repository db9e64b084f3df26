const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  10_000,
  30_000,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
];

export interface Ticks {
  stepMs: number;
  /** Instants on full steps of local time. */
  at: number[];
}

/** Full steps of time, at most `most` of them. `offsetMs` is what local time is ahead of UTC, so that a step of six hours stands at midnight. */
export function ticksOf(fromMs: number, toMs: number, most: number, offsetMs: number): Ticks {
  const wanted = (toMs - fromMs) / Math.max(1, most);
  const stepMs = STEPS.find((step) => step >= wanted) ?? STEPS.at(-1)!;
  const at: number[] = [];
  for (let tick = Math.ceil((fromMs + offsetMs) / stepMs) * stepMs - offsetMs; tick < toMs; tick += stepMs) at.push(tick);
  return { stepMs, at };
}

/** `14:05`, with seconds or as a day where the steps are so short or long. */
export function tickText(atMs: number, stepMs: number, language: string): string {
  const date = new Date(atMs);
  const isMidnight = date.getHours() === 0 && date.getMinutes() === 0;
  const form: Intl.DateTimeFormatOptions =
    stepMs >= DAY || (stepMs >= HOUR && isMidnight)
      ? { month: 'short', day: 'numeric' }
      : { hour: '2-digit', minute: '2-digit', second: stepMs < MINUTE ? '2-digit' : undefined, hourCycle: 'h23' };
  return new Intl.DateTimeFormat(language, form).format(date);
}

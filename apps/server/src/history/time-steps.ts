const MOST_STEPS = 120;
/** Multiples of each other as far as people count in them, and of the time between two samples of a node. */
const STEPS_SECONDS = [30, 60, 300, 900, 3600, 10_800, 21_600, 86_400];

/** The shortest usual step that parts a range into at most 120 of it. */
export function stepSecondsFor(fromMs: number, toMs: number): number {
  const wanted = (toMs - fromMs) / 1000 / MOST_STEPS;
  return STEPS_SECONDS.find((step) => step >= wanted) ?? STEPS_SECONDS.at(-1)!;
}

/** Starts of the steps that a range touches up to `nowMs`, in milliseconds; they lie on multiples of the step. */
export function stepsOf(fromMs: number, toMs: number, nowMs: number, stepSeconds: number): number[] {
  const stepMs = stepSeconds * 1000;
  const first = Math.floor(fromMs / stepMs) * stepMs;
  const end = Math.min(toMs, nowMs);
  const count = Math.max(0, Math.ceil((end - first) / stepMs));
  return Array.from({ length: count }, (_, index) => first + index * stepMs);
}

export interface FakeClock {
  /** The instant this clock shows; a fresh Date each time. */
  now(): Date;
  advance(milliseconds: number): void;
  set(instant: Date | string): void;
}

/** A clock that moves only when told to. */
export function fakeClock(start: Date | string = '2026-01-01T00:00:00.000Z'): FakeClock {
  let current = new Date(start).getTime();
  return {
    now: () => new Date(current),
    advance: (milliseconds) => {
      current += milliseconds;
    },
    set: (instant) => {
      current = new Date(instant).getTime();
    },
  };
}

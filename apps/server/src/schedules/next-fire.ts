import {
  AppError,
  cronFaultPhrase,
  fieldError,
  nextFires,
  type Phrase,
  phrase,
  readTimetable,
  type Timetable,
  type TimetableFault,
  type TimetableRule,
  type ZoneFault,
} from '@medley/core';

/** The rule of a timetable. Throws cron-invalid with every field that is wrong and what may stand there. */
export function timetableRuleOf(timetable: Timetable): TimetableRule {
  const read = readTimetable(timetable);
  if (read.ok) return read.rule;
  throw timetableRefusal(read.faults);
}

/** cron-invalid: every fault in the detail, and by field. */
export function timetableRefusal(faults: readonly (TimetableFault | ZoneFault)[]): AppError {
  const told = faults.map((fault) => {
    const path = 'key' in fault ? fault.key : fault.field;
    return { path, text: path === 'cron' ? cronFaultPhrase(fault as TimetableFault) : fault.reason, expected: fault.expected };
  });
  const sentences = told.map(({ text, expected }): Phrase => phrase('fault-and-expected', { fault: text, expected }));
  return new AppError(
    'cron-invalid',
    sentences.reduce((first, second) => phrase('two-sentences', { first, second })),
    told.map(({ path, text, expected }) => fieldError(path, text, expected)),
  );
}

/** The first fire strictly after an instant; null when none ever comes. When one of upstreams fires is for its upstreams to say. */
export function nextFireAt(timetable: Timetable, after: Date): Date | null {
  if (timetable.rule.kind === 'upstream') return null;
  const next = timetableRuleOf(timetable).nextAfter(after.getTime());
  return next === null ? null : new Date(next);
}

/** The fires that follow a known one. What follows a fixed delay depends on the run that it starts, and what upstreams start on them, so that nothing is known. */
export function firesAfter(timetable: Timetable, afterMs: number, count: number): number[] {
  return timetable.rule.kind === 'fixed-delay' || timetable.rule.kind === 'upstream'
    ? []
    : nextFires(timetableRuleOf(timetable), afterMs, count);
}

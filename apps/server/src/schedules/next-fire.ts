import {
  AppError,
  type CronFault,
  type CronRule,
  cronFaultPhrase,
  cronFaults,
  fieldError,
  type Phrase,
  parseCron,
  phrase,
  type ZoneFault,
} from '@medley/core';

/** The rule of an expression in a zone. Throws cron-invalid with every field that is wrong and what may stand there. */
export function cronRuleOf(cron: string, zone: string): CronRule {
  const parsed = parseCron(cron, zone);
  if (parsed.ok) return parsed.rule;
  throw cronRefusal(cronFaults(cron, zone));
}

/** cron-invalid: every fault in the detail, and by field. */
export function cronRefusal(faults: readonly (CronFault | ZoneFault)[]): AppError {
  const told = faults.map((fault) =>
    fault.field === 'zone'
      ? { path: 'zone', text: fault.reason, expected: fault.expected }
      : { path: 'cron', text: cronFaultPhrase(fault), expected: fault.expected },
  );
  const sentences = told.map(({ text, expected }): Phrase => phrase('fault-and-expected', { fault: text, expected }));
  return new AppError(
    'cron-invalid',
    sentences.reduce((first, second) => phrase('two-sentences', { first, second })),
    told.map(({ path, text, expected }) => fieldError(path, text, expected)),
  );
}

/** The first fire strictly after an instant; null when none ever comes. */
export function nextFireAt(cron: string, zone: string, after: Date): Date | null {
  const next = cronRuleOf(cron, zone).nextAfter(after.getTime());
  return next === null ? null : new Date(next);
}

import { AppError, type CronRule, cronFaults, parseCron } from '@medley/core';

/** The rule of an expression in a zone. Throws cron-invalid with every field that is wrong and what may stand there. */
export function cronRuleOf(cron: string, zone: string): CronRule {
  const parsed = parseCron(cron, zone);
  if (parsed.ok) return parsed.rule;
  const fields = cronFaults(cron, zone).map(({ field, reason, expected }) => {
    const path = field === 'zone' ? 'zone' : 'cron';
    return { path, message: field && field !== 'zone' ? `${field}: ${reason}` : reason, expected };
  });
  throw new AppError('cron-invalid', fields.map(({ message, expected }) => `${message}; expected ${expected}.`).join(' '), fields);
}

/** The first fire strictly after an instant; null when none ever comes. */
export function nextFireAt(cron: string, zone: string, after: Date): Date | null {
  const next = cronRuleOf(cron, zone).nextAfter(after.getTime());
  return next === null ? null : new Date(next);
}

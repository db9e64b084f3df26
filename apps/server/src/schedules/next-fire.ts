import { AppError, type CronRule, parseCron } from '@medley/core';

/** The rule of an expression in a zone. Throws cron-invalid with the field that is wrong and what may stand there. */
export function cronRuleOf(cron: string, zone: string): CronRule {
  const parsed = parseCron(cron, zone);
  if (parsed.ok) return parsed.rule;
  const { field, reason, expected } = parsed.error;
  const path = field === 'zone' ? 'zone' : 'cron';
  const message = field && field !== 'zone' ? `${field}: ${reason}` : reason;
  throw new AppError('cron-invalid', `${message}; expected ${expected}.`, [{ path, message, expected }]);
}

/** The first fire strictly after an instant; null when none ever comes. */
export function nextFireAt(cron: string, zone: string, after: Date): Date | null {
  const next = cronRuleOf(cron, zone).nextAfter(after.getTime());
  return next === null ? null : new Date(next);
}

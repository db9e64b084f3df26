import type { CronDialect } from '@medley/core';

/** A cron rule as the builder shows it; `free` is any other expression. Weekdays count from Sunday = 0. */
export type CronPlan =
  | { mode: 'minutes'; every: number }
  | { mode: 'hourly'; minute: number }
  | { mode: 'daily'; hour: number; minute: number }
  | { mode: 'weekly'; days: number[]; hour: number; minute: number }
  | { mode: 'monthly'; day: number | 'L'; hour: number; minute: number }
  | { mode: 'free'; cron: string };

export type CronMode = CronPlan['mode'];
export const cronModes: readonly CronMode[] = ['minutes', 'hourly', 'daily', 'weekly', 'monthly', 'free'];
/** Steps that divide an hour, so that the pause is the same over its end. */
export const minuteSteps = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30];

export function cronOf(plan: CronPlan): string {
  switch (plan.mode) {
    case 'minutes':
      return plan.every === 1 ? '* * * * *' : `*/${plan.every} * * * *`;
    case 'hourly':
      return `${plan.minute} * * * *`;
    case 'daily':
      return `${plan.minute} ${plan.hour} * * *`;
    case 'weekly':
      return `${plan.minute} ${plan.hour} * * ${[...plan.days].sort((a, b) => a - b).join(',') || '*'}`;
    case 'monthly':
      return `${plan.minute} ${plan.hour} ${plan.day} * *`;
    case 'free':
      return plan.cron;
  }
}

const weekdayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** The plan that an expression says; `free` where the builder has no words for it, and always for Quartz, which counts weekdays otherwise. */
export function planOf(cron: string, dialect: CronDialect = 'unix'): CronPlan {
  const free: CronPlan = { mode: 'free', cron };
  if (dialect === 'quartz') return free;
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== 5 || fields[3] !== '*') return free;
  const [minute, hour, day, , weekday] = fields as [string, string, string, string, string];
  const every = minute === '*' ? 1 : Number(/^\*\/(\d+)$/.exec(minute)?.[1] ?? Number.NaN);
  const isEveryDay = day === '*' && weekday === '*';
  if (hour === '*' && isEveryDay && minuteSteps.includes(every)) return { mode: 'minutes', every };
  if (!/^\d+$/.test(minute)) return free;
  if (hour === '*' && isEveryDay) return { mode: 'hourly', minute: Number(minute) };
  if (!/^\d+$/.test(hour)) return free;
  const time = { hour: Number(hour), minute: Number(minute) };
  if (isEveryDay) return { mode: 'daily', ...time };
  if (weekday === '*' && /^(\d+|L)$/.test(day)) return { mode: 'monthly', day: day === 'L' ? 'L' : Number(day), ...time };
  const days = day === '*' ? weekdaysOf(weekday) : null;
  return days === null ? free : { mode: 'weekly', days, ...time };
}

/** The weekdays of a list or range of names or numbers, or null for anything else. */
export function weekdaysOf(field: string): number[] | null {
  const numberOf = (text: string) =>
    weekdayNames.includes(text.toUpperCase()) ? weekdayNames.indexOf(text.toUpperCase()) : /^[0-7]$/.test(text) ? Number(text) : Number.NaN;
  const days = new Set<number>();
  for (const item of field.split(',')) {
    const [from, to] = item.split('-').map(numberOf) as [number, number | undefined];
    for (let day = from; day <= (to ?? from); day += 1) days.add(day % 7);
    if (Number.isNaN(from) || Number.isNaN(to ?? 0)) return null;
  }
  return [...days].sort((a, b) => a - b);
}

/** The plan of another mode that keeps the time of day of the one before. */
export function planInMode(mode: CronMode, before: CronPlan): CronPlan {
  const minute = 'minute' in before ? before.minute : 0;
  const hour = 'hour' in before ? before.hour : 2;
  const plans: Record<CronMode, CronPlan> = {
    minutes: { mode: 'minutes', every: 10 },
    hourly: { mode: 'hourly', minute },
    daily: { mode: 'daily', hour, minute },
    weekly: { mode: 'weekly', days: [1, 2, 3, 4, 5], hour, minute },
    monthly: { mode: 'monthly', day: 1, hour, minute },
    free: { mode: 'free', cron: cronOf(before) },
  };
  return plans[mode];
}

import { planOf, weekdaysOf } from './cron-plan.js';

type Translate = (key: string, values?: Record<string, unknown>) => string;

/** A cron expression in words of the reader's language. What has no words of its own is told by its field, so that nothing is left out. */
export function cronInWords(cron: string, t: Translate, language: string): string {
  const plan = planOf(cron);
  switch (plan.mode) {
    case 'minutes':
      return plan.every === 1 ? t('cronWords.everyMinute') : t('cronWords.everyMinutes', { count: plan.every });
    case 'hourly':
      return t('cronWords.hourly', { minute: two(plan.minute) });
    case 'daily':
      return t('cronWords.daily', { time: clock(plan) });
    case 'weekly':
      return t('cronWords.weekly', { days: namesOf(plan.days, weekdayName, language), time: clock(plan) });
    case 'monthly':
      return plan.day === 'L'
        ? t('cronWords.lastDay', { time: clock(plan) })
        : t('cronWords.monthly', { day: plan.day, time: clock(plan) });
    case 'free':
      return byFields(plan.cron, t, language);
  }
}

const two = (number: number) => String(number).padStart(2, '0');
const clock = ({ hour, minute }: { hour: number; minute: number }) => `${two(hour)}:${two(minute)}`;

function byFields(cron: string, t: Translate, language: string): string {
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== 5 && fields.length !== 6) return '';
  const [second, minute, hour, day, month, weekday] = (fields.length === 6 ? fields : ['0', ...fields]) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const parts = [timeInWords(second, minute, hour, t), dayInWords(day, weekday, t, language)];
  if (month !== '*') parts.push(t('cronWords.inMonths', { months: monthsInWords(month, language) }));
  return parts.filter((part) => part !== '').join(t('cronWords.comma'));
}

function timeInWords(second: string, minute: string, hour: string, t: Translate): string {
  const isList = (field: string) => /^\d+(,\d+)*$/.test(field);
  if (second === '0' && isList(minute) && isList(hour)) {
    const times = hour.split(',').flatMap((each) => minute.split(',').map((other) => clock({ hour: Number(each), minute: Number(other) })));
    if (times.length <= 12) return t('cronWords.atTimes', { times: times.join(', ') });
  }
  const parts = [field('second', second, t), field('minute', minute, t), field('hour', hour, t)];
  if (second === '0') parts.shift();
  return parts.filter((part) => part !== '').join(t('cronWords.comma'));
}

/** A field of time: every one, every n-th, or those that it names. */
function field(unit: 'second' | 'minute' | 'hour', text: string, t: Translate): string {
  if (text === '*') return unit === 'hour' ? '' : t(`cronWords.each.${unit}`);
  const step = /^\*\/(\d+)$/.exec(text)?.[1];
  return step === undefined ? t(`cronWords.at.${unit}`, { values: text }) : t(`cronWords.step.${unit}`, { count: step });
}

function dayInWords(day: string, weekday: string, t: Translate, language: string): string {
  const isAny = (text: string) => text === '*' || text === '?';
  const days = isAny(weekday) ? null : weekdaysOf(weekday);
  const weekdayText = isAny(weekday)
    ? ''
    : t('cronWords.onWeekdays', { days: days === null ? weekday : namesOf(days, weekdayName, language) });
  const dayText = isAny(day) ? '' : daysOfMonth(day, t);
  if (weekdayText !== '' && dayText !== '') return t('cronWords.either', { one: dayText, other: weekdayText });
  return weekdayText || dayText || t('cronWords.everyDay');
}

function daysOfMonth(day: string, t: Translate): string {
  if (day === 'L') return t('cronWords.onLastDay');
  if (day === 'LW') return t('cronWords.onLastWorkday');
  if (/^\d+W$/.test(day)) return t('cronWords.onWorkdayNear', { day: day.slice(0, -1) });
  const [, back, workday] = /^L-(\d+)(W?)$/.exec(day) ?? [];
  if (back === undefined) return t('cronWords.onDays', { days: day });
  return t(workday ? 'cronWords.onWorkdayNearEnd' : 'cronWords.onDayFromEnd', { count: back });
}

function monthsInWords(text: string, language: string): string {
  return /^\d+(,\d+)*$/.test(text) ? namesOf(text.split(',').map(Number), monthName, language) : text;
}

function namesOf(numbers: readonly number[], name: (number: number, language: string) => string, language: string): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(numbers.map((number) => name(number, language)));
}

/** 4 January 1970 was a Sunday. */
export function weekdayName(day: number, language: string, style: 'short' | 'long' = 'long'): string {
  return new Intl.DateTimeFormat(language, { weekday: style, timeZone: 'UTC' }).format((3 + day) * 86_400_000);
}

function monthName(month: number, language: string): string {
  return new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2000, month - 1, 1));
}

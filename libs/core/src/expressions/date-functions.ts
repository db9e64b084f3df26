import { phrase } from '../phrases/index.js';
import { isCalendarDate, isKnownZone, localDate, localTime } from '../triggers/index.js';
import { ExpressionFailure } from './expression-value.js';

const dayMs = 86_400_000;

/** The day so many days later, or earlier with a negative number. */
export function addDays(date: string, days: number): string {
  return dayAt(instantOf(date) + whole(days) * dayMs);
}

/** The same day of a later or earlier month, or that month's last day where it is shorter. */
export function addMonths(date: string, months: number): string {
  const from = new Date(instantOf(date));
  const month = from.getUTCFullYear() * 12 + from.getUTCMonth() + whole(months);
  const last = new Date(utc(Math.floor(month / 12), mod12(month) + 1, 0)).getUTCDate();
  return dayAt(utc(Math.floor(month / 12), mod12(month), Math.min(from.getUTCDate(), last)));
}

/** Days from the first to the second; negative when the second is earlier. */
export function daysBetween(first: string, second: string): number {
  return (instantOf(second) - instantOf(first)) / dayMs;
}

/** 1 is Monday, 7 is Sunday. */
export function weekday(date: string): number {
  return ((new Date(instantOf(date)).getUTCDay() + 6) % 7) + 1;
}

export function startOfMonth(date: string): string {
  return `${checked(date).slice(0, 8)}01`;
}

export function endOfMonth(date: string): string {
  return addDays(addMonths(startOfMonth(date), 1), -1);
}

/** A date written by a pattern of `yyyy`, `yy`, `MM`, `dd`; every other character stands for itself, letters excepted. */
export function formatDate(date: string, pattern: string): string {
  const [year, month, day] = checked(date).split('-') as [string, string, string];
  return fill(pattern, { yyyy: year, yy: year.slice(2), MM: month, dd: day });
}

/** An instant written in a zone by a pattern of `yyyy`, `yy`, `MM`, `dd`, `HH`, `mm`, `ss`. */
export function formatTime(instant: string, pattern: string, zone: string): string {
  const at = Date.parse(instant);
  if (!/T.*(Z|[+-]\d{2}:\d{2})$/.test(instant) || Number.isNaN(at))
    throw new ExpressionFailure(phrase('not-an-instant', { value: tell(instant) }));
  if (!isKnownZone(zone)) throw new ExpressionFailure(phrase('not-a-zone', { value: tell(zone) }));
  const [year, month, day] = localDate(at, zone).split('-') as [string, string, string];
  const { hour, minute, second } = localTime(at, zone);
  return fill(pattern, { yyyy: year, yy: year.slice(2), MM: month, dd: day, HH: hour, mm: minute, ss: second });
}

function fill(pattern: string, parts: Readonly<Record<string, string>>): string {
  return pattern.replaceAll(/[A-Za-z]+/g, (letters) => {
    const pieces = letters.match(/(.)\1*/g)!;
    return pieces
      .map((piece) => {
        if (Object.hasOwn(parts, piece)) return parts[piece]!;
        throw new ExpressionFailure(phrase('not-a-pattern-part', { value: tell(piece), parts: Object.keys(parts) }));
      })
      .join('');
  });
}

function checked(date: string): string {
  if (!isCalendarDate(date)) throw new ExpressionFailure(phrase('not-of-form', { value: tell(date), form: phrase('a-date') }));
  return date;
}

function instantOf(date: string): number {
  return Date.parse(`${checked(date)}T00:00:00Z`);
}

/** Like Date.UTC, which takes the years 0 to 99 for those of the twentieth century. */
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day);
}

function dayAt(instantMs: number): string {
  const day = new Date(instantMs);
  const text = Number.isNaN(day.getTime()) ? '' : day.toISOString();
  if (!/^\d{4}-/.test(text)) throw new ExpressionFailure(phrase('date-out-of-years'));
  return text.slice(0, 10);
}

function mod12(month: number): number {
  return ((month % 12) + 12) % 12;
}

function whole(number: number): number {
  if (!Number.isInteger(number)) throw new ExpressionFailure(phrase('not-of-form', { value: number, form: phrase('a-whole-number') }));
  return number;
}

function tell(text: string): string {
  return `\`${text.length > 40 ? `${text.slice(0, 37)}...` : text}\``;
}

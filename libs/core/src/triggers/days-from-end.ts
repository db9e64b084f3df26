import { Cron } from 'croner';

/** A day counted from the last of its month: `L-3`, or the working day nearest to it: `L-3W`. A month that has no such day has none. */
interface DayFromEnd {
  back: number;
  isNearestWorkday: boolean;
}

type NextWall = (wallMs: number) => number | null;

const pattern = /^L-(\d{1,2})(W?)$/;
const dayMs = 86_400_000;
/** Months without a match before a rule counts as ended: leap days come at least every eighth year, and no year after 2099 can be named. */
const mostMonths = 2000;

/** Whether an item of a day of month is counted from the end of the month. */
export function isDayFromEnd(item: string): boolean {
  return pattern.test(item);
}

/** The times of seven Unix fields on a clock that is never changed. The cron library reckons everything but days counted from the end of the month. */
export function nextWallOf(fields: readonly string[]): NextWall {
  const items = fields[3]!.split(',');
  const rest = items.filter((item) => !isDayFromEnd(item)).join(',');
  const fromEnd = items.flatMap((item): DayFromEnd[] => {
    const match = pattern.exec(item);
    return match === null ? [] : [{ back: Number(match[1]), isNearestWorkday: match[2] === 'W' }];
  });
  const rules = [
    ...(rest === '' ? [] : [libraryTimes(withDay(fields, rest))]),
    ...(fromEnd.length === 0 ? [] : [onDays(libraryTimes(withDay(fields, '*')), fromEnd)]),
  ];
  return (wallMs) => {
    const times = rules.map((next) => next(wallMs)).filter((ms) => ms !== null);
    return times.length === 0 ? null : Math.min(...times);
  };
}

const withDay = (fields: readonly string[], day: string) => fields.with(3, day);

/** The library reckons in UTC only, as if clocks were never changed. */
function libraryTimes(fields: readonly string[]): NextWall {
  const cron = new Cron(fields.join(' '), { paused: true, utcOffset: 0, mode: '7-part' });
  return (wallMs) => cron.nextRun(new Date(wallMs))?.getTime() ?? null;
}

/** Of times on any day those on some days of each month; it goes from month to month. */
function onDays(next: NextWall, days: readonly DayFromEnd[]): NextWall {
  return (wallMs) => {
    let at = next(wallMs);
    for (let months = 0; at !== null && months < mostMonths; months++) {
      const [year, month, today] = [new Date(at).getUTCFullYear(), new Date(at).getUTCMonth(), new Date(at).getUTCDate()];
      const wanted = days.flatMap((day) => dateOf(day, year, month) ?? []).filter((date) => date >= today);
      if (wanted.includes(today)) return at;
      const from = wanted.length > 0 ? Date.UTC(year, month, Math.min(...wanted)) : Date.UTC(year, month + 1, 1);
      at = next(from - 1);
    }
    return null;
  };
}

/** The date in a month, which is never left: the nearest working day to a first that is a Saturday is the third. */
function dateOf({ back, isNearestWorkday }: DayFromEnd, year: number, month: number): number | null {
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const date = last - back;
  if (date < 1) return null;
  const weekday = new Date(Date.UTC(year, month, 1) + (date - 1) * dayMs).getUTCDay();
  if (!isNearestWorkday || (weekday !== 0 && weekday !== 6)) return date;
  if (weekday === 6) return date === 1 ? 3 : date - 1;
  return date === last ? date - 2 : date + 1;
}

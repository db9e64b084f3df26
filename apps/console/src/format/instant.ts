const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

/** `2 minutes ago`, `in 3 hours`, in the reader's language; beyond a month the date says more. */
export function formatRelative(at: string, now: number, language: string): string {
  const seconds = Math.round((Date.parse(at) - now) / 1000);
  if (Math.abs(seconds) > 30 * 86_400) return formatDay(at, language);
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size || unit === 'second') return format.format(Math.trunc(seconds / size), unit);
  }
  return '';
}

/** Date, time of 24 hours and zone of the browser, so that a time is never without its zone and reads like the charts beside it. */
export function formatAbsolute(at: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long', hourCycle: 'h23' }).format(new Date(at));
}

/** `14:03:07` in the browser's zone. */
export function formatClock(at: string): string {
  return new Date(at).toLocaleTimeString('en-GB', { hour12: false });
}

function formatDay(at: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(at));
}

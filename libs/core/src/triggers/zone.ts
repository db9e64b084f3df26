/** Building a formatter costs a thousand times more than using it. */
const clockFormats = new Map<string, Intl.DateTimeFormat>();

/** Whether a text is an IANA zone such as `Asia/Shanghai` or `UTC`. Offsets like `+08:00` are not: they know no summer time. */
export function isKnownZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    clockFormatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** What the clocks of a zone show at an instant, as the instant at which clocks in UTC show the same: a number of milliseconds to reckon with. */
export function wallClock(instantMs: number, zone: string): number {
  const seconds = Math.floor(instantMs / 1000);
  const parts = clockFormatOf(zone)
    .format(seconds * 1000)
    .match(/\d+/g)!
    .map(Number);
  const [month, day, year, hour, minute, second] = parts as [number, number, number, number, number, number];
  return Date.UTC(year, month - 1, day, hour, minute, second) + (instantMs - seconds * 1000);
}

/** How far the clocks of a zone are ahead of UTC at an instant, in milliseconds. */
export function offsetMs(instantMs: number, zone: string): number {
  return wallClock(instantMs, zone) - instantMs;
}

/** The calendar day of an instant in a zone, as yyyy-mm-dd. */
export function localDate(instantMs: number, zone: string): string {
  return dateOfWall(wallClock(instantMs, zone));
}

/** The time of day of an instant in a zone, each part of two digits. */
export function localTime(instantMs: number, zone: string): { hour: string; minute: string; second: string } {
  const [hour, minute, second] = new Date(wallClock(instantMs, zone)).toISOString().slice(11, 19).split(':') as [string, string, string];
  return { hour, minute, second };
}

/** The calendar day of a wall clock, as yyyy-mm-dd. */
export function dateOfWall(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(0, 10);
}

function clockFormatOf(zone: string): Intl.DateTimeFormat {
  let format = clockFormats.get(zone);
  if (format === undefined) {
    const options = {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    } as const;
    format = new Intl.DateTimeFormat('en-US', options);
    clockFormats.set(zone, format);
  }
  return format;
}

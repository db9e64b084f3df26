/** Building a formatter costs a thousand times more than using it. */
const dateFormats = new Map<string, Intl.DateTimeFormat>();

/** Whether a text is an IANA zone such as `Asia/Shanghai` or `UTC`. Offsets like `+08:00` are not: they know no summer time. */
export function isKnownZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    dateFormatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** The calendar day of an instant in a zone, as yyyy-mm-dd. */
export function localDate(instantMs: number, zone: string): string {
  const parts = new Map(
    dateFormatOf(zone)
      .formatToParts(instantMs)
      .map((part) => [part.type, part.value]),
  );
  return `${parts.get('year')!.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
}

const timeFormats = new Map<string, Intl.DateTimeFormat>();

/** The time of day of an instant in a zone, each part of two digits. */
export function localTime(instantMs: number, zone: string): { hour: string; minute: string; second: string } {
  let format = timeFormats.get(zone);
  if (format === undefined) {
    const options = { timeZone: zone, hourCycle: 'h23', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
    format = new Intl.DateTimeFormat('en', { ...options, numberingSystem: 'latn' });
    timeFormats.set(zone, format);
  }
  const parts = new Map(format.formatToParts(instantMs).map((part) => [part.type, part.value.padStart(2, '0')]));
  return { hour: parts.get('hour')!, minute: parts.get('minute')!, second: parts.get('second')! };
}

function dateFormatOf(zone: string): Intl.DateTimeFormat {
  let format = dateFormats.get(zone);
  if (format === undefined) {
    const options = {
      timeZone: zone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    } as const;
    format = new Intl.DateTimeFormat('en', options);
    dateFormats.set(zone, format);
  }
  return format;
}

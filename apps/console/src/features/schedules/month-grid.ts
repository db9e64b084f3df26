/** The zone of the reader's browser. */
export function viewerZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** `2026-11` of an instant, in the reader's zone. */
export function monthOf(at: Date): string {
  return `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}`;
}

export function shiftMonth(month: string, by: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}

export function monthTitle(month: string, language: string): string {
  return new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(Date.parse(`${month}-01T00:00:00Z`));
}

/** The days of a month by weeks from Monday on; null before its first and after its last day. */
export function weeksOf(month: string): (string | null)[][] {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const before = (new Date(Date.UTC(year, number - 1, 1)).getUTCDay() + 6) % 7;
  const cells = [
    ...Array<null>(before).fill(null),
    ...Array.from({ length }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`),
  ];
  const weeks: (string | null)[][] = [];
  for (let at = 0; at < cells.length; at += 7) weeks.push(Array.from({ length: 7 }, (_, index) => cells[at + index] ?? null));
  return weeks;
}

/** `14:03` in a zone; with the day where it is asked for. */
export function clockIn(at: string, zone: string, language: string, withDay = false): string {
  const day = withDay ? ({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const) : {};
  return new Intl.DateTimeFormat(language, { ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone }).format(
    new Date(at),
  );
}

/** The times of day at which an expression fires on the days on which it fires, each ascending. */
export interface CronTimes {
  hours: number[];
  minutes: number[];
  seconds: number[];
}

/** Of the first three fields, seconds first. */
export function cronTimes([second, minute, hour]: readonly string[]): CronTimes {
  return { hours: numbersOf(hour!, 23), minutes: numbersOf(minute!, 59), seconds: numbersOf(second!, 59) };
}

/** The numbers that a field of seconds, minutes or hours names: `*`, lists, ranges and steps. */
export function numbersOf(field: string, max: number): number[] {
  const numbers = new Set<number>();
  for (const item of field.split(',')) {
    const [range, step] = item.split('/');
    const [from, to] = range === '*' ? [0, max] : range!.split('-').map(Number);
    for (let at = from!; at <= (to ?? (step === undefined ? from! : max)); at += Number(step ?? 1)) numbers.add(at);
  }
  return [...numbers].sort((left, right) => left - right);
}

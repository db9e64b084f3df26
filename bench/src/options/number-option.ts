import { BenchFailure } from '../stack/with-stack.js';

/** A number from the command line; throws a BenchFailure that names the option. */
export function numberOption(option: string, text: string, least: number, most: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value >= least && value <= most)) throw new BenchFailure(`${option}: "${text}" is not a number from ${least} to ${most}`);
  return value;
}

/** The same for a whole number. */
export function wholeOption(option: string, text: string, least: number, most: number): number {
  const value = numberOption(option, text, least, most);
  if (!Number.isInteger(value)) throw new BenchFailure(`${option}: "${text}" is not a whole number`);
  return value;
}

/** Whole-number options with their defaults: `--name N`; throws a BenchFailure for anything else. */
export function wholeOptions<Name extends string>(
  args: readonly string[],
  known: Readonly<Record<Name, { default: number; least: number; most: number }>>,
): Record<Name, number> {
  const values = Object.fromEntries(Object.entries<{ default: number }>(known).map(([name, option]) => [name, option.default])) as Record<
    Name,
    number
  >;
  for (let at = 0; at < args.length; at += 2) {
    const name = args[at]?.replace(/^--/, '') as Name;
    const option = args[at]?.startsWith('--') ? known[name] : undefined;
    if (option === undefined) throw new BenchFailure(`"${args[at]}" is no option of this bench; there are ${list(known)}`);
    values[name] = wholeOption(`--${name}`, args[at + 1] ?? '', option.least, option.most);
  }
  return values;
}

function list(known: Readonly<Record<string, { default: number }>>): string {
  return Object.entries(known)
    .map(([name, option]) => `--${name} N (default ${option.default})`)
    .join(', ');
}

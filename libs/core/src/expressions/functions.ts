import { Environment } from '@marcbachmann/cel-js';
import { addDays, addMonths, daysBetween, endOfMonth, formatDate, formatTime, startOfMonth, weekday } from './date-functions.js';

/** Functions and methods that may be called. What else the library knows may take unbounded time, as `matches` may with a pattern made for it. */
export const knownCalls: ReadonlySet<string> = new Set([
  ...['string', 'int', 'double', 'bool', 'size'],
  ...['contains', 'startsWith', 'endsWith', 'indexOf', 'lastIndexOf', 'substring', 'lowerAscii', 'upperAscii', 'trim', 'split', 'join'],
  ...['all', 'exists', 'exists_one', 'map', 'filter'],
  ...['addDays', 'addMonths', 'daysBetween', 'weekday', 'startOfMonth', 'endOfMonth', 'formatDate', 'formatTime'],
]);

/** Those that go over a list. One may not stand within another: the time would be the product of both lists. */
export const iteratingCalls: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

const limits = { maxAstNodes: 300, maxDepth: 40, maxListElements: 100, maxMapEntries: 100, maxCallArguments: 8 };

/**
 * The language: CEL, where every number that comes from outside is a `double`, so that `rows / 2` does not depend on whether `rows` happens to
 * be whole, and numbers written in the expression go together with those.
 */
export const language = new Environment({ unlistedVariablesAreDyn: true, homogeneousAggregateLiterals: false, limits });

for (const [left, right] of [
  ['int', 'double'],
  ['double', 'int'],
]) {
  language.registerOperator(`${left} + ${right}`, (a, b) => Number(a) + Number(b));
  language.registerOperator(`${left} - ${right}`, (a, b) => Number(a) - Number(b));
  language.registerOperator(`${left} * ${right}`, (a, b) => Number(a) * Number(b));
  language.registerOperator(`${left} / ${right}`, (a, b) => Number(a) / Number(b));
  language.registerOperator(`${left} % ${right}`, (a, b) => Number(a) % Number(b));
}
language.registerOperator('double % double', (a, b) => a % b);

for (const number of ['int', 'double']) {
  language.registerFunction(`addDays(string, ${number}): string`, (date, days) => addDays(date, Number(days)));
  language.registerFunction(`addMonths(string, ${number}): string`, (date, months) => addMonths(date, Number(months)));
}
language.registerFunction('daysBetween(string, string): int', (first, second) => BigInt(daysBetween(first, second)));
language.registerFunction('weekday(string): int', (date) => BigInt(weekday(date)));
language.registerFunction('startOfMonth(string): string', startOfMonth);
language.registerFunction('endOfMonth(string): string', endOfMonth);
language.registerFunction('formatDate(string, string): string', formatDate);
language.registerFunction('formatTime(string, string, string): string', formatTime);

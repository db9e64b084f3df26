import { AppError } from '../errors/index.js';
import { type Phrase, phrase } from '../phrases/index.js';
import { type Expression, variableOf } from './expression.js';
import { ExpressionFailure, type ExpressionValue, maxExpressionResult, sizeOfValue } from './expression-value.js';
import { iteratingCalls, language } from './functions.js';
import { readLibraryError } from './library-errors.js';
import { pathText, type Reference } from './references.js';

/** The value of a name; undefined when it has none. */
export type LookUp = (path: readonly string[]) => ExpressionValue | undefined;

/** A list that an expression goes over has at most so many items, and what it refers to then at most so much text. */
const maxIterated = 1000;
const maxIteratedText = 64 * 1024;

/**
 * The value of an expression. Throws `reference-invalid` when a name that is needed has no value, when the operation does not exist for the
 * values, or when the result is too large.
 */
export function evaluateExpression(expression: Expression, lookUp: LookUp): ExpressionValue {
  if (expression.plain) return present(expression.references[0]!, lookUp);
  const values = valuesOf(expression, lookUp);
  try {
    const result = toValue(language.evaluate(expression.masked, values));
    if (sizeOfValue(result, maxExpressionResult) <= maxExpressionResult) return result;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw invalid(expression, missingFirst(expression, lookUp) ?? readLibraryError(expression, error).text);
  }
  throw invalid(expression, phrase('expression-result-too-long', { limit: maxExpressionResult }));
}

/** The same with what is in a nested structure: `tasks.check.state` is its entry `tasks`, of that `check`, of that `state`. */
export function lookUpIn(context: object): LookUp {
  return (path) => {
    let value: unknown = context;
    for (const name of path) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
      value = (value as Record<string, unknown>)[name];
    }
    return value as ExpressionValue | undefined;
  };
}

function valuesOf(expression: Expression, lookUp: LookUp): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  let text = 0;
  const iterates = [...iteratingCalls].some((name) => expression.masked.includes(`.${name}(`));
  for (const [index, reference] of expression.references.entries()) {
    const value = lookUp(reference.path);
    if (iterates) text += boundedSize(expression, reference, value);
    if (text > maxIteratedText) throw invalid(expression, phrase('expression-list-too-long', { limit: maxIteratedText }));
    if (reference.presence) values[variableOf(expression, index)] = value !== undefined;
    else if (value !== undefined) values[variableOf(expression, index)] = value;
  }
  return values;
}

function boundedSize(expression: Expression, reference: Reference, value: ExpressionValue | undefined): number {
  if (Array.isArray(value) && value.length > maxIterated) {
    throw invalid(
      expression,
      phrase('expression-too-many-items', { name: pathText(reference.path), count: value.length, limit: maxIterated }),
    );
  }
  return sizeOfValue(value ?? null, maxIteratedText);
}

function present(reference: Reference, lookUp: LookUp): ExpressionValue {
  const value = lookUp(reference.path);
  if (value === undefined) throw new AppError('reference-invalid', missing(reference.path));
  return value;
}

/** The name without a value because of which the library gave up, if that is why. */
function missingFirst({ references }: Expression, lookUp: LookUp): Phrase | null {
  const absent = references.find(({ path, presence }) => !presence && lookUp(path) === undefined);
  return absent === undefined ? null : missing(absent.path);
}

function missing(path: readonly string[]): Phrase {
  const name = pathText(path);
  if (path[0] === 'schedule') return phrase('reference-only-scheduled', { name });
  if (path[0] === 'secrets') return phrase('secret-unknown', { name });
  if (path[0] === 'variables') return phrase('variable-unknown', { name });
  if (path[0] === 'tasks' && path[2] === 'outputs') return phrase('output-unknown', { name });
  return phrase('reference-without-value', { name });
}

function invalid({ source }: Expression, fault: Phrase): AppError {
  const shown = source.trim();
  return new AppError(
    'reference-invalid',
    phrase('expression-fault', { source: shown.length > 60 ? `${shown.slice(0, 57)}...` : shown, fault }),
  );
}

/** Whole numbers of the library are of a type of their own; what has no place in JSON is refused. */
function toValue(result: unknown): ExpressionValue {
  if (typeof result === 'bigint') return exact(result);
  if (typeof result === 'number' && !Number.isFinite(result)) throw new ExpressionFailure(phrase('result-not-finite'));
  if (typeof result !== 'object' || result === null) return result as ExpressionValue;
  if (Array.isArray(result)) return result.map(toValue);
  const entries = result instanceof Map ? [...result] : isPlain(result) ? Object.entries(result) : null;
  if (entries === null) throw new ExpressionFailure(phrase('result-not-a-value'));
  return Object.fromEntries(entries.map(([name, value]) => [String(name), toValue(value)]));
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function exact(whole: bigint): number {
  const number = Number(whole);
  if (!Number.isSafeInteger(number)) throw new ExpressionFailure(phrase('result-inexact', { value: String(whole) }));
  return number;
}

import { isCalendarDate } from '../triggers/index.js';
import type { ParameterDeclaration, ParameterValue, ScalarType, ScalarValue } from './declaration.js';

/** The value in the declared type, or what is wrong with it and what was expected. */
export type CheckedValue = { ok: true; value: ParameterValue } | { ok: false; message: string; expected: string };

const expectations: Record<ScalarType, string> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  date: 'a date as yyyy-mm-dd',
};

/** Checks a value against a declaration. Nothing is converted: the text "1" is not a number, and null is no value. */
export function checkValue(declaration: ParameterDeclaration, value: unknown): CheckedValue {
  if (declaration.type !== 'list') return checkScalar(declaration.type, value);
  const items = declaration.items ?? 'string';
  const expected = `a list, each item ${expectations[items]}`;
  if (!Array.isArray(value)) return { ok: false, message: `${tell(value)} is not a list`, expected };
  const checked: ScalarValue[] = [];
  for (const [index, item] of value.entries()) {
    const result = checkScalar(items, item);
    if (!result.ok) return { ok: false, message: `item ${index + 1}: ${result.message}`, expected };
    checked.push(result.value);
  }
  return { ok: true, value: checked };
}

function checkScalar(
  type: ScalarType,
  value: unknown,
): { ok: true; value: ScalarValue } | { ok: false; message: string; expected: string } {
  if (isOfType(type, value)) return { ok: true, value };
  if (type === 'integer' && Number.isInteger(value)) {
    const bound = (value as number) > 0 ? `at most ${Number.MAX_SAFE_INTEGER}` : `at least ${Number.MIN_SAFE_INTEGER}`;
    return {
      ok: false,
      message: `${tell(value)} is beyond the whole numbers that are kept exactly: ${bound}`,
      expected: expectations.integer,
    };
  }
  return { ok: false, message: `${tell(value)} is not ${expectations[type]}`, expected: expectations[type] };
}

function isOfType(type: ScalarType, value: unknown): value is ScalarValue {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'integer':
      return Number.isSafeInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'date':
      return typeof value === 'string' && isCalendarDate(value);
  }
}

function tell(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

import { type Phrase, phrase } from '../phrases/index.js';
import { isCalendarDate } from '../triggers/index.js';
import { checkRules } from './check-rules.js';
import type { ParameterDeclaration, ParameterValue, ScalarType, ScalarValue } from './declaration.js';

/** The value in the declared type, or what is wrong with it and what was expected. */
export type CheckedValue = { ok: true; value: ParameterValue } | { ok: false; fault: Phrase; expected: Phrase };

const expectations: Record<ScalarType, Phrase> = {
  string: phrase('a-text'),
  number: phrase('a-number'),
  integer: phrase('a-whole-number'),
  boolean: phrase('true-or-false'),
  date: phrase('a-date'),
};

/** Checks a value against a declaration. Nothing is converted: the text "1" is not a number, and null is no value. */
export function checkValue(declaration: ParameterDeclaration, value: unknown): CheckedValue {
  const typed = checkType(declaration, value);
  return typed.ok ? (checkRules(declaration, typed.value) ?? typed) : typed;
}

/** The same without the rules beside the type: bounds, pattern and allowed values. */
export function checkType(declaration: Pick<ParameterDeclaration, 'type' | 'items'>, value: unknown): CheckedValue {
  if (declaration.type !== 'list') return checkScalar(declaration.type, value);
  const items = declaration.items ?? 'string';
  const expected = phrase('list-of', { form: expectations[items] });
  if (!Array.isArray(value)) return { ok: false, fault: phrase('not-of-form', { value: tell(value), form: phrase('a-list') }), expected };
  const checked: ScalarValue[] = [];
  for (const [index, item] of value.entries()) {
    const result = checkScalar(items, item);
    if (!result.ok) return { ok: false, fault: phrase('item-fault', { number: index + 1, fault: result.fault }), expected };
    checked.push(result.value);
  }
  return { ok: true, value: checked };
}

function checkScalar(type: ScalarType, value: unknown): { ok: true; value: ScalarValue } | { ok: false; fault: Phrase; expected: Phrase } {
  if (isOfType(type, value)) return { ok: true, value };
  if (type === 'integer' && Number.isInteger(value)) {
    const atMost = phrase('at-most', { limit: Number.MAX_SAFE_INTEGER });
    const bound = (value as number) > 0 ? atMost : phrase('at-least', { limit: Number.MIN_SAFE_INTEGER });
    return { ok: false, fault: phrase('whole-number-inexact', { value: tell(value), bound }), expected: expectations.integer };
  }
  return { ok: false, fault: phrase('not-of-form', { value: tell(value), form: expectations[type] }), expected: expectations[type] };
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

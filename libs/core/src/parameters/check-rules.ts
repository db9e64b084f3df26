import { type Phrase, phrase } from '../phrases/index.js';
import { isCalendarDate } from '../triggers/index.js';
import type { CheckedValue } from './check-value.js';
import type { ParameterDeclaration, ParameterValue, ScalarValue } from './declaration.js';
import { matchesPattern, maxPatternText, patternFault } from './pattern.js';

type Refusal = Extract<CheckedValue, { ok: false }>;

/** What a value of the right type lacks by the rules of its declaration; null when nothing. */
export function checkRules(declaration: ParameterDeclaration, value: ParameterValue): Refusal | null {
  return checkChoice(declaration, value) ?? checkBounds(declaration, value) ?? checkPattern(declaration, value);
}

function itemsOf(value: ParameterValue): ScalarValue[] {
  return Array.isArray(value) ? value : [value];
}

function checkChoice({ enum: allowed }: ParameterDeclaration, value: ParameterValue): Refusal | null {
  const other = allowed === undefined ? undefined : itemsOf(value).find((item) => !allowed.includes(item));
  if (other === undefined) return null;
  return {
    ok: false,
    fault: phrase('not-allowed-value', { value: tell(other) }),
    expected: phrase('one-of', { names: allowed!.slice(0, 20).map(String) }),
  };
}

/** The number, the date, or how many there are of characters or items. */
function checkBounds(declaration: ParameterDeclaration, value: ParameterValue): Refusal | null {
  const { type, min, max } = declaration;
  const measured = measure(type, value);
  const has =
    measured === value
      ? phrase('it-is', { value: tell(value) })
      : phrase(type === 'list' ? 'has-items' : 'has-characters', { count: measured });
  if (min !== undefined && measured < min)
    return { ok: false, fault: phrase('below-min', { has, limit: min }), expected: phrase('at-least', { limit: min }) };
  if (max !== undefined && measured > max)
    return { ok: false, fault: phrase('above-max', { has, limit: max }), expected: phrase('at-most', { limit: max }) };
  return null;
}

function measure(type: ParameterDeclaration['type'], value: ParameterValue): number | string {
  if (Array.isArray(value)) return value.length;
  return type === 'string' ? [...String(value)].length : (value as number | string);
}

function checkPattern({ pattern }: ParameterDeclaration, value: ParameterValue): Refusal | null {
  if (pattern === undefined) return null;
  const other = itemsOf(value).find((item) => !matchesPattern(pattern, String(item)));
  if (other === undefined) return null;
  const expected = phrase('matching-text', { pattern, limit: maxPatternText });
  return { ok: false, fault: phrase('pattern-unmatched', { value: tell(other), pattern }), expected };
}

function tell(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

export interface RuleFault {
  key: 'min' | 'max' | 'pattern' | 'enum' | 'required';
  text: Phrase;
  expected?: Phrase;
}

/** Faults of the rules themselves, by the key that has them. */
export function faultsOfRules(declaration: ParameterDeclaration): RuleFault[] {
  const { type, required, default: otherwise } = declaration;
  const faults = [...faultsOfBounds(declaration), ...faultsOfPattern(declaration)];
  if (type === 'boolean' && declaration.enum !== undefined)
    faults.push({ key: 'enum', text: phrase('rule-without-meaning', { key: 'enum', type }) });
  if (required === true && otherwise !== undefined) faults.push({ key: 'required', text: phrase('required-beside-default') });
  return faults;
}

function faultsOfBounds({ type, min, max }: ParameterDeclaration): RuleFault[] {
  const faults = (
    [
      ['min', min],
      ['max', max],
    ] as const
  ).flatMap(([key, bound]): RuleFault[] => {
    if (bound === undefined) return [];
    if (type === 'boolean') return [{ key, text: phrase('rule-without-meaning', { key, type }) }];
    const form = boundForm(type, bound);
    return form === null ? [] : [{ key, text: phrase('not-of-form', { value: tell(bound), form }), expected: form }];
  });
  if (faults.length > 0 || min === undefined || max === undefined || min <= max) return faults;
  return [{ key: 'max', text: phrase('max-below-min', { max, min }) }];
}

/** What a bound should be, if it is not. */
function boundForm(type: ParameterDeclaration['type'], bound: number | string): Phrase | null {
  if (type === 'date') return typeof bound === 'string' && isCalendarDate(bound) ? null : phrase('a-date');
  if (typeof bound !== 'number') return phrase('a-number');
  const counts = type === 'string' || type === 'list';
  return counts && (bound < 0 || !Number.isInteger(bound)) ? phrase('a-whole-number') : null;
}

function faultsOfPattern({ type, items = 'string', pattern }: ParameterDeclaration): RuleFault[] {
  if (pattern === undefined) return [];
  const ofTexts = type === 'string' || (type === 'list' && items === 'string');
  if (!ofTexts) return [{ key: 'pattern', text: phrase('rule-without-meaning', { key: 'pattern', type }) }];
  const fault = patternFault(pattern);
  return fault === null ? [] : [{ key: 'pattern', text: phrase('pattern-unusable', { pattern, fault }) }];
}

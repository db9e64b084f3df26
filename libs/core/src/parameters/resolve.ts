import { AppError, type FieldError, fieldError } from '../errors/index.js';
import { nearestName } from '../naming/index.js';
import { hintOf, phrase } from '../phrases/index.js';
import { checkValue } from './check-value.js';
import type { ParameterDeclaration, ParameterDeclarations, ParameterValue, ScalarValue } from './declaration.js';
import { type ExpressionContext, renderValue } from './render.js';
import { hasReference } from './template.js';

export type ResolvedParameters = { ok: true; values: Record<string, ParameterValue> } | { ok: false; errors: FieldError[] };

const maxSuggestions = 25;

/** Parameters may not refer to each other. */
type ParameterContext = Omit<ExpressionContext, 'parameters'>;

/**
 * The values of a run's parameters: what was given, else the default, every type checked; all faults are returned together.
 * References are resolved in defaults. What a person or a program gives is taken literally; what a schedule of the workflow file
 * gives is written like a default, so it is passed with `givenAre: 'templates'`.
 */
export function resolveParameters(
  declared: ParameterDeclarations,
  given: Readonly<Record<string, unknown>>,
  context: ParameterContext,
  givenAre: 'values' | 'templates' = 'values',
): ResolvedParameters {
  const errors: FieldError[] = unknownParameters(declared, given);
  const values: Record<string, ParameterValue> = {};
  for (const [name, declaration] of Object.entries(declared)) {
    const isGiven = Object.hasOwn(given, name);
    const source = isGiven ? given[name] : declaration.default;
    if (source === undefined && declaration.required === false) continue;
    const rendering = isGiven && givenAre === 'values' ? null : context;
    const resolved = resolveOne(name, declaration, source, rendering);
    if ('error' in resolved) errors.push(resolved.error);
    else values[name] = resolved.value;
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, values };
}

function unknownParameters(declared: ParameterDeclarations, given: Readonly<Record<string, unknown>>): FieldError[] {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(declared, name));
  return unknown.map((name, index) => {
    const nearest = index < maxSuggestions ? nearestName(name, Object.keys(declared)) : null;
    const names = Object.keys(declared);
    const expected = names.length === 0 ? phrase('no-parameters') : phrase('one-of', { names });
    return fieldError(`parameters.${name}`, phrase('parameter-undeclared', { name, hint: hintOf(nearest) }), expected);
  });
}

function resolveOne(
  name: string,
  declaration: ParameterDeclaration,
  source: unknown,
  rendering: ParameterContext | null,
): { value: ParameterValue } | { error: FieldError } {
  const path = `parameters.${name}`;
  const ofType = phrase('parameter-type-form', { type: declaration.type });
  if (source === undefined) return { error: fieldError(path, phrase('parameter-without-value', { name }), ofType) };
  try {
    const checked = checkValue(declaration, rendering === null ? source : render(source, rendering));
    return checked.ok ? { value: checked.value } : { error: fieldError(path, checked.fault, checked.expected) };
  } catch (error) {
    if (error instanceof AppError && error.phrase) return { error: fieldError(path, error.phrase, ofType) };
    throw error;
  }
}

function render(source: unknown, context: ParameterContext): unknown {
  if (typeof source === 'string') return hasReference(source) ? renderValue(source, context) : source;
  return Array.isArray(source) ? source.map((item: ScalarValue) => render(item, context)) : source;
}

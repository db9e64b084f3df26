import { AppError, type FieldError } from '../errors/index.js';
import { nearestName } from '../naming/index.js';
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
    const hint = nearest === null ? '' : `; did you mean \`${nearest}\`?`;
    const names = Object.keys(declared).join(', ');
    return {
      path: `parameters.${name}`,
      message: `the workflow declares no parameter \`${name}\`${hint}`,
      expected: names === '' ? 'no parameters' : `one of: ${names}`,
    };
  });
}

function resolveOne(
  name: string,
  declaration: ParameterDeclaration,
  source: unknown,
  rendering: ParameterContext | null,
): { value: ParameterValue } | { error: FieldError } {
  const path = `parameters.${name}`;
  if (source === undefined) return { error: { path, message: `\`${name}\` has no value and no default`, expected: declaration.type } };
  try {
    const checked = checkValue(declaration, rendering === null ? source : render(source, rendering));
    return checked.ok ? { value: checked.value } : { error: { path, message: checked.message, expected: checked.expected } };
  } catch (error) {
    if (error instanceof AppError) return { error: { path, message: error.detail, expected: declaration.type } };
    throw error;
  }
}

function render(source: unknown, context: ParameterContext): unknown {
  if (typeof source === 'string') return hasReference(source) ? renderValue(source, context) : source;
  return Array.isArray(source) ? source.map((item: ScalarValue) => render(item, context)) : source;
}

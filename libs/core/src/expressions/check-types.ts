import { type Expression, variableOf } from './expression.js';
import type { ValueType } from './expression-value.js';
import { language } from './functions.js';
import { readLibraryError } from './library-errors.js';
import type { ExpressionFault, Reference } from './references.js';

export type CheckedTypes = { ok: true; type: ValueType } | { ok: false; faults: ExpressionFault[] };

/** Whether the operations of an expression exist for the types of its names, and what type comes of it. */
export function checkTypes(expression: Expression, typeOf: (reference: Reference) => ValueType): CheckedTypes {
  if (expression.plain) return { ok: true, type: typeOf(expression.references[0]!) };
  const typed = language.clone({ unlistedVariablesAreDyn: false });
  for (const [index, reference] of expression.references.entries()) {
    typed.registerVariable(variableOf(expression, index), reference.presence ? 'bool' : libraryType(typeOf(reference)));
  }
  const checked = typed.check(expression.masked);
  if (checked.valid) return { ok: true, type: ourType(checked.type ?? 'dyn') };
  return { ok: false, faults: [readLibraryError(expression, checked.error)] };
}

const libraryTypes = { text: 'string', number: 'double', boolean: 'bool', any: 'dyn' } as const;

function libraryType(type: ValueType): string {
  if (!type.startsWith('list of ')) return libraryTypes[type as keyof typeof libraryTypes];
  return `list<${libraryTypes[type.slice('list of '.length) as keyof typeof libraryTypes]}>`;
}

function ourType(name: string): ValueType {
  if (name === 'string') return 'text';
  if (name === 'int' || name === 'double') return 'number';
  if (name === 'bool') return 'boolean';
  const item = /^list<(string|int|double|bool)>$/.exec(name)?.[1];
  if (item !== undefined) return `list of ${ourType(item) as 'text' | 'number' | 'boolean'}`;
  return name.startsWith('list') ? 'list of any' : 'any';
}

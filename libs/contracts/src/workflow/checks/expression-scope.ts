import { type ParameterDeclaration, type Reference, type ValueType } from '@medley/core';
import type { Suggestions } from '../suggestions.js';

/** Null for a parameter whose declaration has no valid form, which is reported where it stands. */
export type Declarations = ReadonlyMap<string, ParameterDeclaration | null>;

/** What may be named in one place of the file. */
export interface ExpressionScope {
  /** The roots that have values there; another one is refused with `why`. */
  roots: ReadonlySet<string>;
  why: string;
  declared: Declarations;
  /** What is wrong with a name of a task, a project's variable and so on; null when nothing is. */
  refuse?: (reference: Reference) => { message: string; expected?: string } | null;
  suggestions: Suggestions;
}

/** Roots that some place of the file knows; every other one belongs to a later version. */
const availableRoots: ReadonlySet<string> = new Set(['parameters', 'run', 'task', 'schedule']);

export interface NameFault {
  message: string;
  expected?: string;
}

/** What is wrong with a name in a place; null when it has a value there. */
export function checkName(reference: Reference, scope: ExpressionScope): NameFault | null {
  const root = reference.path[0]!;
  const written = `\`${reference.path.join('.')}\``;
  if (!availableRoots.has(root)) return { message: `${written} is not available yet in this version` };
  if (!scope.roots.has(root)) return { message: `${written} ${scope.why}`, expected: `a name that begins with ${tellRoots(scope)}` };
  if (root === 'parameters') return checkParameter(reference.path[1]!, scope);
  return scope.refuse?.(reference) ?? null;
}

function tellRoots({ roots }: ExpressionScope): string {
  return [...roots].map((root) => `\`${root}.\``).join(' or ');
}

function checkParameter(name: string, { declared, suggestions }: ExpressionScope): NameFault | null {
  return declared.has(name) ? null : undeclared(name, declared, suggestions);
}

export function undeclared(name: string, declared: Declarations, suggestions: Suggestions): NameFault {
  const some = [...declared.keys()].slice(0, 20).join(', ');
  const expected = some === '' ? 'a parameter declared under `parameters`' : `one of: ${some}`;
  const minus = /-/.test(name) && declared.has(name.slice(0, name.indexOf('-'))) ? '; to subtract, put a space on both sides of `-`' : '';
  const hint = minus === '' ? suggestions.hint(name, declared.keys()) : minus;
  return { message: `the workflow declares no parameter \`${name}\`${hint}`, expected };
}

const typeOfScalar = { string: 'text', date: 'text', number: 'number', integer: 'number', boolean: 'boolean' } as const;

/** The type that a name's value will have, as far as the file says. */
export function typeOfName({ path }: Reference, declared: Declarations): ValueType {
  const [root, name] = path;
  if (root === 'parameters') {
    const declaration = declared.get(name!);
    if (declaration == null) return 'any';
    return declaration.type === 'list' ? `list of ${typeOfScalar[declaration.items ?? 'string']}` : typeOfScalar[declaration.type];
  }
  return root === 'map' || path[2] === 'outputs' ? 'any' : 'text';
}

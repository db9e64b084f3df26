import { type ParameterDeclaration, type Phrase, type PhraseValue, phrase, type Reference, type ValueType } from '@medley/core';
import type { Suggestions } from '../suggestions.js';

/** Null for a parameter whose declaration has no valid form, which is reported where it stands. */
export type Declarations = ReadonlyMap<string, ParameterDeclaration | null>;

/** What may be named in one place of the file. */
export interface ExpressionScope {
  /** The roots that have values there; another one is refused with `why`. */
  roots: ReadonlySet<string>;
  why: (name: string) => Phrase;
  declared: Declarations;
  /** What is wrong with a name of a task, a project's variable and so on; null when nothing is. */
  refuse?: (reference: Reference) => NameFault | null;
  suggestions: Suggestions;
}

export interface NameFault {
  text: Phrase;
  expected?: Phrase;
}

/** What is wrong with a name in a place; null when it has a value there. */
export function checkName(reference: Reference, scope: ExpressionScope): NameFault | null {
  const root = reference.path[0]!;
  const written = reference.path.join('.');
  if (root === 'secrets' && !scope.roots.has(root)) return { text: phrase('secret-only-delivered', { name: written }) };
  if (!scope.roots.has(root)) return { text: scope.why(written), expected: phrase('name-beginning-form', { roots: tellRoots(scope) }) };
  if (root === 'parameters') return checkParameter(reference.path[1]!, scope);
  return scope.refuse?.(reference) ?? null;
}

function tellRoots({ roots }: ExpressionScope): PhraseValue {
  return [...roots].map((root): PhraseValue => `\`${root}.\``).reduce((left, right) => phrase('either-or', { left, right }));
}

function checkParameter(name: string, { declared, suggestions }: ExpressionScope): NameFault | null {
  return declared.has(name) ? null : undeclared(name, declared, suggestions);
}

export function undeclared(name: string, declared: Declarations, suggestions: Suggestions): NameFault {
  const names = [...declared.keys()].slice(0, 20);
  const expected = names.length === 0 ? phrase('parameter-declared-form') : phrase('one-of', { names });
  const isMinus = /-/.test(name) && declared.has(name.slice(0, name.indexOf('-')));
  const hint = isMinus ? phrase('to-subtract') : suggestions.hint(name, declared.keys());
  return { text: phrase('parameter-undeclared', { name, hint }), expected };
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
  return ['map', 'loop', 'outputs'].includes(root!) || path[2] === 'outputs' ? 'any' : 'text';
}

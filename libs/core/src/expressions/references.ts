import { type Phrase, type PhraseValue, phrase } from '../phrases/index.js';

/** One name that an expression asks for, e.g. `tasks.check.outputs.rows`, with its place in the text of the expression. */
export interface Reference {
  path: readonly string[];
  offset: number;
  length: number;
  /** `has(…)`: only whether there is a value. */
  presence: boolean;
}

/** A fault in an expression, at a character counted from 0. */
export interface ExpressionFault {
  text: Phrase;
  offset: number;
}

/**
 * The names an expression may begin with, and what follows each: a fixed word, or `NAME` for one that people choose. A root of an empty
 * path stands for itself.
 */
export type RootShapes = Readonly<Record<string, readonly (readonly string[])[]>>;

/** What is there while a workflow runs. Which of it has a value in which place is for the caller to say. */
export const workflowRoots: RootShapes = {
  parameters: [['NAME']],
  run: [['id'], ['workflow']],
  task: [['key']],
  schedule: [['fireTime'], ['date'], ['zone']],
  tasks: [
    ['NAME', 'outputs', 'NAME'],
    ['NAME', 'state'],
  ],
  secrets: [['NAME']],
  variables: [['NAME']],
  map: [['NAME']],
  loop: [['index'], ['previous', 'NAME']],
};

export function pathText(path: readonly string[]): string {
  return path.join('.');
}

/** The names that may be written, as a list for people. */
export function rootForms(shapes: RootShapes): PhraseValue {
  return Object.entries(shapes)
    .flatMap(([root, forms]) => forms.map((form) => [root, ...form].join('.')))
    .map((form) => `\`${form}\``);
}

const namePattern = /[A-Za-z_][A-Za-z0-9_-]*/y;
const stringPattern = /r?("""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')/y;

export interface FoundReferences {
  references: Reference[];
  faults: ExpressionFault[];
}

/**
 * Finds the names that an expression asks for. A name that people chose may hold `-`, as keys of tasks and parameters do; a minus therefore
 * has a space before it. Texts in quotes are passed over.
 */
export function findNames(source: string, shapes: RootShapes): FoundReferences {
  const references: Reference[] = [];
  const faults: ExpressionFault[] = [];
  let at = 0;
  while (at < source.length) {
    const quoted = matchAt(stringPattern, source, at);
    const word = quoted ?? matchAt(/[A-Za-z0-9_]+/y, source, at);
    if (quoted === null && word !== null && isRoot(source, at, word, shapes)) {
      const found = readPath(source, at, word, shapes);
      if ('fault' in found) faults.push({ text: found.fault, offset: at });
      else references.push(withPresence(source, { path: found.path, offset: at, length: found.length, presence: false }));
      at += found.length;
    } else {
      at += word?.length ?? 1;
    }
  }
  return { references, faults };
}

/** A root is a whole word that nothing is selected from: the `run` of `x.run` is none. */
function isRoot(source: string, at: number, word: string, shapes: RootShapes): boolean {
  if (!Object.hasOwn(shapes, word)) return false;
  return !/[.]\s*$/.test(source.slice(0, at)) && !/^\s*\(/.test(source.slice(at + word.length));
}

type ReadPath = { path: string[]; length: number } | { fault: Phrase; length: number };

function readPath(source: string, start: number, root: string, shapes: RootShapes): ReadPath {
  const forms = shapes[root]!;
  const path = [root];
  let at = start + root.length;
  for (let depth = 0; !isWhole(path, forms); depth++) {
    const possible = forms.filter((form) => matches(path.slice(1), form));
    const name = source[at] === '.' ? matchAt(namePattern, source, at + 1) : null;
    const fits = name !== null && possible.some((form) => form[depth] === 'NAME' || form[depth] === name);
    if (!fits) return { fault: incomplete([...path, ...(name === null ? [] : [name])], root, shapes), length: at - start };
    path.push(name);
    at += 1 + name.length;
  }
  return { path, length: at - start };
}

function isWhole(path: readonly string[], forms: RootShapes[string]): boolean {
  return forms.some((form) => form.length === path.length - 1 && matches(path.slice(1), form));
}

function matches(names: readonly string[], form: readonly string[]): boolean {
  return names.every((name, index) => form[index] === 'NAME' || form[index] === name);
}

function incomplete(written: readonly string[], root: string, shapes: RootShapes): Phrase {
  return phrase('expression-not-a-value', { name: pathText(written), names: rootForms({ [root]: shapes[root]! }) });
}

const presencePattern = /\bhas\s*\(\s*$/;

/** `has(NAME)` is one reference as a whole: it is answered without asking for the value. */
function withPresence(source: string, reference: Reference): Reference {
  const before = presencePattern.exec(source.slice(0, reference.offset));
  const after = matchAt(/\s*\)/y, source, reference.offset + reference.length);
  if (before === null || after === null) return reference;
  const end = reference.offset + reference.length + after.length;
  return { ...reference, offset: before.index, length: end - before.index, presence: true };
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

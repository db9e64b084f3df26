import { type Phrase, type PhraseCode, phrase } from '@medley/core';
import type { z } from 'zod';
import { entry, type PathSegment, pathText, type WorkflowFault } from './fault.js';
import { keyLevelAt, laterTaskKinds } from './schema/known-keys.js';
import { notOfForm, tell } from './schema/leaf.js';
import type { Suggestions } from './suggestions.js';

type Issue = z.core.$ZodIssue;

/** Turns what the schema found into faults in words: what is wrong, what was expected, and the nearest known name. */
export function explainIssues(issues: readonly Issue[], document: unknown, suggestions: Suggestions): WorkflowFault[] {
  return issues.flatMap((issue) => explain(issue, issue.path as PathSegment[], document, suggestions));
}

function explain(issue: Issue, path: PathSegment[], document: unknown, suggestions: Suggestions): WorkflowFault[] {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(path, key, suggestions));
    case 'invalid_union':
      return explainUnion(issue.errors, path, document, suggestions);
    case 'invalid_key':
      return [wrongName(path, issue.issues[0]?.message)];
    case 'invalid_value':
      return [invalidChoice(path, valueAt(document, path), issue.values.map(String), suggestions)];
    case 'invalid_type':
      return [wrongType(path, valueAt(document, path), issue.expected)];
    case 'custom':
      return [{ path, text: issue.params!.text as Phrase, expected: issue.params!.expected as Phrase }];
    case 'too_big':
      return [outOfBounds(path, valueAt(document, path), phrase('at-most', { limit: Number(issue.maximum) }))];
    case 'too_small':
      return [outOfBounds(path, valueAt(document, path), phrase('at-least', { limit: Number(issue.minimum) }))];
    default:
      return [{ path, text: phrase('wrong-form') }];
  }
}

/** The message is the code of what is expected, see `keysOf`. */
function wrongName(path: PathSegment[], expected: string | undefined): WorkflowFault {
  const text = phrase('not-a-name', { name: tell(path.at(-1)) });
  return { path, atKey: true, text, ...(expected && { expected: { code: expected as PhraseCode } }) };
}

function unknownKey(path: PathSegment[], key: string, suggestions: Suggestions): WorkflowFault {
  const { known, later } = keyLevelAt(pathText(path));
  const fault = { path: [...path, key], atKey: true };
  if (later.includes(key)) return { ...fault, text: phrase('key-later', { key }) };
  const hint = suggestions.hint(key, [...known, ...later]);
  return { ...fault, text: phrase('key-unknown', { key: tell(key), hint }), expected: oneOf(known) };
}

/** Explains the branch that the writer most likely meant: one whose outer form fits, with the fewest faults. */
function explainUnion(
  branches: readonly (readonly Issue[])[],
  path: PathSegment[],
  document: unknown,
  suggestions: Suggestions,
): WorkflowFault[] {
  const fitting = branches.filter((issues) => !issues.some((issue) => issue.path.length === 0 && issue.code === 'invalid_type'));
  const [meant] = [...fitting].sort((a, b) => a.length - b.length);
  if (meant !== undefined)
    return meant.flatMap((issue) => explain(issue, [...path, ...(issue.path as PathSegment[])], document, suggestions));
  const forms = branches.flatMap((issues) => issues.map((issue) => (issue.code === 'invalid_type' ? formName(issue.expected) : null)));
  const distinct = [...new Set(forms.filter((form) => form !== null))];
  const expected = distinct.length === 0 ? undefined : distinct.reduce((left, right) => phrase('either-or', { left, right }));
  return [{ path, text: phrase('not-allowed', { value: tell(valueAt(document, path)), hint: '' }), expected }];
}

function invalidChoice(path: PathSegment[], value: unknown, choices: string[], suggestions: Suggestions): WorkflowFault {
  const expected = oneOf(choices);
  if (path.at(-1) === 'kind' && laterTaskKinds.includes(String(value))) {
    return { path, text: phrase('kind-later', { kind: tell(value) }), expected };
  }
  if (value === undefined) return { path, text: phrase('missing'), expected };
  return { path, text: phrase('not-allowed', { value: tell(value), hint: suggestions.hint(String(value), choices) }), expected };
}

function wrongType(path: PathSegment[], value: unknown, type: string): WorkflowFault {
  const expected = formName(type);
  if (value === undefined) return { path, text: phrase('missing'), expected };
  return { path, text: notOfForm(value, expected), expected };
}

/** Of a list, a text or a number: how much of it there is, and how much there may be. */
function outOfBounds(path: PathSegment[], value: unknown, expected: Phrase): WorkflowFault {
  if (Array.isArray(value)) return { path, text: phrase('too-many-entries', { count: value.length }), expected };
  if (typeof value === 'string') return { path, text: phrase('text-length', { count: value.length }), expected };
  return { path, text: phrase('out-of-bounds', { value: tell(value) }), expected };
}

const forms: Record<string, Phrase> = {
  object: phrase('a-map'),
  record: phrase('a-map'),
  array: phrase('a-list'),
  string: phrase('a-text'),
  number: phrase('a-number'),
  boolean: phrase('true-or-false'),
};

function formName(type: string): Phrase {
  return forms[type] ?? phrase('a-valid', { form: type });
}

function oneOf(names: readonly string[]): Phrase {
  return phrase('one-of', { names });
}

function valueAt(document: unknown, path: readonly PathSegment[]): unknown {
  return path.reduce<unknown>(entry, document);
}

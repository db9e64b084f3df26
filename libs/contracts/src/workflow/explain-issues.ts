import type { z } from 'zod';
import { entry, type PathSegment, pathText, type WorkflowFault } from './fault.js';
import { keyLevelAt, laterTaskKinds } from './schema/known-keys.js';
import { tell } from './schema/leaf.js';
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
      return [{ path, atKey: true, message: `${tell(path.at(-1))} cannot be a name here`, expected: issue.issues[0]?.message }];
    case 'invalid_value':
      return [invalidChoice(path, valueAt(document, path), issue.values.map(String), suggestions)];
    case 'invalid_type':
      return [wrongType(path, valueAt(document, path), issue.expected)];
    case 'custom':
      return [{ path, message: issue.message, expected: issue.params?.expected as string | undefined }];
    case 'too_big':
      return [outOfBounds(path, valueAt(document, path), 'at most', issue.maximum)];
    case 'too_small':
      return [outOfBounds(path, valueAt(document, path), 'at least', issue.minimum)];
    default:
      return [{ path, message: issue.message.toLowerCase() }];
  }
}

function unknownKey(path: PathSegment[], key: string, suggestions: Suggestions): WorkflowFault {
  const { known, later } = keyLevelAt(pathText(path));
  const fault = { path: [...path, key], atKey: true };
  if (later.includes(key)) return { ...fault, message: `\`${key}\` is not available yet in this version` };
  const hint = suggestions.hint(key, [...known, ...later]);
  return { ...fault, message: `unknown key ${tell(key)}${hint}`, expected: `one of: ${known.join(', ')}` };
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
  const expected = [...new Set(forms.filter((form) => form !== null))].join(' or ');
  return [{ path, message: `${tell(valueAt(document, path))} is not allowed here`, expected }];
}

function invalidChoice(path: PathSegment[], value: unknown, choices: string[], suggestions: Suggestions): WorkflowFault {
  const expected = `one of: ${choices.join(', ')}`;
  if (path.at(-1) === 'kind' && laterTaskKinds.includes(String(value))) {
    return { path, message: `the kind ${tell(value)} is not available yet in this version`, expected };
  }
  if (value === undefined) return { path, message: 'it is missing', expected };
  return { path, message: `${tell(value)} is not allowed here${suggestions.hint(String(value), choices)}`, expected };
}

function wrongType(path: PathSegment[], value: unknown, type: string): WorkflowFault {
  const expected = formName(type);
  if (value === undefined) return { path, message: 'it is missing', expected };
  return { path, message: `${tell(value)} is not ${expected}`, expected };
}

/** Of a list, a text or a number: how much of it there is, and how much there may be. */
function outOfBounds(path: PathSegment[], value: unknown, bound: string, limit: number | bigint): WorkflowFault {
  if (Array.isArray(value)) return { path, message: `it has ${value.length} entries`, expected: `${bound} ${limit}` };
  if (typeof value === 'string') return { path, message: `it has ${value.length} characters`, expected: `${bound} ${limit}` };
  return { path, message: `${tell(value)} is out of bounds`, expected: `${bound} ${limit}` };
}

function formName(type: string): string {
  const names: Record<string, string> = {
    object: 'a map',
    record: 'a map',
    array: 'a list',
    string: 'a text',
    number: 'a number',
    boolean: 'true or false',
  };
  return names[type] ?? type;
}

function valueAt(document: unknown, path: readonly PathSegment[]): unknown {
  return path.reduce<unknown>(entry, document);
}

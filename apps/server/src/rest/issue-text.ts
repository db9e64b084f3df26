import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const typeNames: Record<string, string> = {
  object: 'a map',
  record: 'a map',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

/** What is wrong with one value, in words that read on after its path: "is too large: at most 200". Words that a schema brings itself are kept. */
export function issueText(issue: Issue, value: unknown): string {
  if (!/^(Invalid|Too (big|small))/.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined ? 'is missing' : `is not ${typeNames[issue.expected] ?? `a valid ${issue.expected}`}`;
    case 'too_big':
      return tooBig(issue.origin, issue.maximum, issue.inclusive ?? true);
    case 'too_small':
      return tooSmall(issue.origin, issue.minimum, issue.inclusive ?? true);
    case 'invalid_value':
      return value === undefined ? 'is missing' : `has to be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`;
    case 'invalid_format':
      return formatText(issue.format);
    case 'invalid_union':
      return unionText(issue.errors, value);
    case 'invalid_key':
      return `cannot be named so: ${issue.issues[0]?.message ?? 'another name is needed'}`;
    default:
      return issue.message.toLowerCase();
  }
}

function tooBig(origin: string, maximum: number | bigint, inclusive: boolean): string {
  if (origin === 'string') return `is too long: at most ${maximum} characters`;
  if (origin === 'array') return `has too many entries: at most ${maximum}`;
  return `is too large: ${inclusive ? 'at most' : 'less than'} ${maximum}`;
}

function tooSmall(origin: string, minimum: number | bigint, inclusive: boolean): string {
  if (origin === 'string') return minimum === 1 ? 'is empty' : `is too short: at least ${minimum} characters`;
  if (origin === 'array') return minimum === 1 ? 'is empty' : `has too few entries: at least ${minimum}`;
  return `is too small: ${inclusive ? 'at least' : 'more than'} ${minimum}`;
}

function formatText(format: string): string {
  if (format === 'uuid') return 'is not an id (a UUID such as 01890a5d-ac96-774b-bcce-b302099a8057)';
  if (format === 'datetime') return 'is not an instant in UTC (such as 2026-03-29T01:00:00Z)';
  return `is not a valid ${format}`;
}

function unionText(branches: readonly (readonly Issue[])[], value: unknown): string {
  if (value === undefined) return 'is missing';
  const texts = branches.flatMap(([first]) => (first === undefined ? [] : [issueText(first, value)]));
  return texts.length === 0 ? 'is not allowed here' : [...new Set(texts)].join(', and ');
}

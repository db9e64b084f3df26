import { phraseOfMessage } from '@medley/contracts';
import { type Phrase, phrase } from '@medley/core';
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const forms: Record<string, Phrase> = {
  object: phrase('a-map'),
  record: phrase('a-map'),
  array: phrase('a-list'),
  string: phrase('a-text'),
  number: phrase('a-number'),
  int: phrase('a-whole-number'),
  boolean: phrase('true-or-false'),
};

/** What is wrong with one value, in words that read on after its path: "is too large: at most 200". Words that a schema brings itself are kept. */
export function issueText(issue: Issue, value: unknown): Phrase | string {
  if (issue.code === 'custom' && issue.params?.text) return issue.params.text as Phrase;
  const ours = phraseOfMessage(issue.message);
  if (ours) return ours;
  if (!/^(Invalid|Too (big|small))/.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined
        ? phrase('field-missing')
        : phrase('field-not', { form: forms[issue.expected] ?? phrase('a-valid', { form: issue.expected }) });
    case 'too_big':
      return tooBig(issue.origin, issue.maximum, issue.inclusive ?? true);
    case 'too_small':
      return tooSmall(issue.origin, issue.minimum, issue.inclusive ?? true);
    case 'invalid_value':
      return value === undefined ? phrase('field-missing') : choiceText(issue.values.map(String));
    case 'invalid_format':
      return formatText(issue.format);
    case 'invalid_union':
      return unionText(issue.errors, value);
    case 'invalid_key':
      return phrase('field-misnamed', { name: String(issue.path.at(-1) ?? '') });
    default:
      return issue.message.toLowerCase();
  }
}

function tooBig(origin: string, maximum: number | bigint, inclusive: boolean): Phrase {
  if (origin === 'string') return phrase('field-too-long', { limit: Number(maximum) });
  if (origin === 'array') return phrase('field-too-many', { limit: Number(maximum) });
  return inclusive ? phrase('field-too-large', { limit: Number(maximum) }) : phrase('field-not-less', { limit: Number(maximum) });
}

function tooSmall(origin: string, minimum: number | bigint, inclusive: boolean): Phrase {
  if (origin === 'string') return minimum === 1 ? phrase('field-empty') : phrase('field-too-short', { limit: Number(minimum) });
  if (origin === 'array') return minimum === 1 ? phrase('field-empty') : phrase('field-too-few', { limit: Number(minimum) });
  return inclusive ? phrase('field-too-small', { limit: Number(minimum) }) : phrase('field-not-more', { limit: Number(minimum) });
}

function choiceText(values: readonly string[]): Phrase {
  return values.length > 1 ? phrase('field-not-among', { names: values }) : phrase('field-other-than', { value: values[0] ?? '' });
}

function formatText(format: string): Phrase {
  if (format === 'uuid') return phrase('field-no-id');
  if (format === 'datetime') return phrase('field-no-instant');
  return phrase('field-not', { form: phrase('a-valid', { form: format }) });
}

function unionText(branches: readonly (readonly Issue[])[], value: unknown): Phrase {
  if (value === undefined) return phrase('field-missing');
  const texts = branches.flatMap(([first]) => (first === undefined ? [] : [issueText(first, value)]));
  const distinct = new Map(texts.map((text) => [JSON.stringify(text), text]));
  const [first, ...others] = [...distinct.values()].filter((text) => typeof text !== 'string');
  return first === undefined
    ? phrase('field-not-allowed')
    : others.reduce((told: Phrase, next) => phrase('and-also', { first: told, second: next }), first);
}

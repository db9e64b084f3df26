import {
  findExpressions,
  hasReference,
  type Phrase,
  parseExpression,
  parseLabelExpression,
  phrase,
  type RootShapes,
  templateFaultsPhrase,
  workflowRoots,
} from '@medley/core';
import type { z } from 'zod';
import { maxDataSizeMib, maxDurationSeconds, parseCpuMillis, parseDataSizeMib, parseDuration } from '../../resources/index.js';
import { leaf, notOfForm, tell, textLeaf } from './leaf.js';

const hasUnit = (value: unknown) => !/^\d+(\.\d+)?$/.test(String(value));

function durationFault(value: unknown, min: number): Phrase | null {
  if (!hasUnit(value)) return phrase('no-unit', { value: tell(value) });
  const seconds = typeof value === 'string' ? parseDuration(value) : null;
  if (seconds === null) return notOfForm(value, phrase('a-duration'));
  if (seconds > maxDurationSeconds) return phrase('duration-too-long', { value: tell(value) });
  return seconds < min ? phrase('too-short', { value: tell(value) }) : null;
}

const durationJson = { type: 'string', pattern: '^(\\d+(\\.\\d+)?(ms|s|m|h|d))+$' };
/** Zero is allowed: no delay. */
export const delaySchema = leaf<string>((value) => durationFault(value, 0), phrase('duration-form'), durationJson);
/** A pause between runs: shorter ones are no schedule. */
export const periodSchema = leaf<string>((value) => durationFault(value, 1), phrase('duration-form'), durationJson);
export const timeoutSchema = leaf<string>((value) => durationFault(value, 0.001), phrase('duration-form'), durationJson);

function sizeFault(value: unknown): Phrase | null {
  if (!hasUnit(value)) return phrase('no-unit', { value: tell(value) });
  const mib = typeof value === 'string' ? parseDataSizeMib(value) : null;
  if (mib === null) return notOfForm(value, phrase('a-size'));
  return mib > maxDataSizeMib ? phrase('size-too-large', { value: tell(value) }) : null;
}

export const dataSizeSchema = leaf<string>(sizeFault, phrase('size-form'), { type: 'string', pattern: '^\\d+(\\.\\d+)?[KMGT]i?B$' });

export const cpuSchema = leaf<number>(
  (value) => (parseCpuMillis(value) === null ? notOfForm(value, phrase('a-number-of-cores')) : null),
  phrase('cpu-form'),
  { type: 'number', minimum: 0, maximum: 4096, multipleOf: 0.001 },
);

export const labelsExpressionSchema = textLeaf((text) => {
  const parsed = parseLabelExpression(text);
  return parsed.ok ? null : phrase('labels-unreadable', { fault: parsed.error.text });
}, phrase('labels-form'));

const templateExpected = phrase('template-form', { example: '${' + '{ parameters.NAME }}' });

function templateFault(text: string): Phrase | null {
  return templateFaultsPhrase(
    findExpressions(text).faults.map((fault) => ({
      ...fault,
      text: phrase('expression-fault-at', { source: tell(fault.expression), fault: fault.text, position: fault.offset + 1 }),
    })),
  );
}

export const templateSchema = textLeaf(templateFault, templateExpected);

function expressionFault(text: string, shapes?: RootShapes): Phrase | null {
  const parsed = parseExpression(text, shapes);
  if (parsed.ok) return null;
  return templateFaultsPhrase(
    parsed.faults.map((fault) => ({ text: phrase('fault-at', { fault: fault.text, position: fault.offset + 1 }) })),
  );
}

/** A text that is an expression as a whole, without `${{ }}`. */
export const expressionSchema = textLeaf(
  (text) => {
    if (hasReference(text)) return phrase('expression-in-braces', { opening: '${' + '{', closing: '}}' });
    return expressionFault(text);
  },
  phrase('expression-form', { example: 'tasks.check.outputs.rows > 1000' }),
);

/** Values of `env`: numbers and booleans become text. */
export const environmentValueSchema = leaf<string | number | boolean>(
  (value) => {
    if (typeof value === 'string') return templateFault(value);
    if (typeof value === 'number' || typeof value === 'boolean') return null;
    return phrase('environment-value-not-text', { value: tell(value) });
  },
  phrase('environment-value-form'),
  { type: ['string', 'number', 'boolean'] },
);

/** Script text: no value expression in it, so that there is nothing to inject into. */
export const scriptSchema = textLeaf((text) => {
  if (text.trim() === '') return phrase('script-empty');
  return hasReference(text) ? phrase('script-reference') : null;
}, phrase('script-form'));

/** What an `outputs` expression of an HTTP task may name: the answer. `json` is the body where it is JSON. */
export const answerRoots: RootShapes = { status: [[]], headers: [[]], body: [[]], json: [[]] };

/** What an `outputs` expression of a task of kind workflow may name: how the tasks of its run ended, and what they gave. */
export const subWorkflowRoots: RootShapes = { tasks: workflowRoots.tasks! };

/** What the `until` of a repeated task may name: what its iteration gave, beside what any value of the task may. */
export const untilRoots: RootShapes = { ...workflowRoots, outputs: [['NAME']] };

export const untilSchema = textLeaf(
  (text) => {
    if (hasReference(text)) return phrase('expression-in-braces', { opening: '${' + '{', closing: '}}' });
    return expressionFault(text, untilRoots);
  },
  phrase('until-form', { example: 'outputs.left == 0' }),
);

/** Which of these names have a value depends on the kind, and is checked afterwards. */
export const outputExpressionSchema = textLeaf(
  (text) => expressionFault(text, { ...answerRoots, ...subWorkflowRoots }),
  phrase('answer-expression-form', { example: 'json.total' }),
);

export const urlSchema: z.ZodType<string> = textLeaf(
  (text) => (/^(https?:\/\/|\$\{\{)/.test(text) ? templateFault(text) : phrase('url-start', { value: tell(text) })),
  phrase('url-form'),
);

/** An absolute path, of Windows as well; it may also begin with a value. */
export const filePathSchema: z.ZodType<string> = textLeaf((text) => {
  if (text.length > 4096 || text.includes('\0')) return phrase('not-allowed', { value: tell(text), hint: '' });
  return isAbsolutePath(text) || text.startsWith('${' + '{') ? templateFault(text) : phrase('path-not-absolute', { value: tell(text) });
}, phrase('path-form'));

/** Whether a path is whole, on Unix or on Windows. */
export function isAbsolutePath(path: string): boolean {
  return /^(\/|[A-Za-z]:[\\/])/.test(path);
}

import { findExpressions, hasReference, parseExpression, parseLabelExpression, scriptReferenceMessage } from '@medley/core';
import type { z } from 'zod';
import {
  cpuExpected,
  dataSizeExpected,
  durationExpected,
  maxDataSizeMib,
  maxDurationSeconds,
  parseCpuMillis,
  parseDataSizeMib,
  parseDuration,
} from '../../resources/index.js';
import { leaf, tell, textLeaf } from './leaf.js';

const hasUnit = (value: unknown) => !/^\d+(\.\d+)?$/.test(String(value));

function durationFault(value: unknown, min: number): string | null {
  if (!hasUnit(value)) return `${tell(value)} has no unit`;
  const seconds = typeof value === 'string' ? parseDuration(value) : null;
  if (seconds === null) return `${tell(value)} is not a duration`;
  if (seconds > maxDurationSeconds) return `${tell(value)} is longer than 366 days`;
  return seconds < min ? `${tell(value)} is too short` : null;
}

const durationJson = { type: 'string', pattern: '^(\\d+(\\.\\d+)?(ms|s|m|h|d))+$' };
/** Zero is allowed: no delay. */
export const delaySchema = leaf<string>((value) => durationFault(value, 0), durationExpected, durationJson);
export const timeoutSchema = leaf<string>((value) => durationFault(value, 0.001), durationExpected, durationJson);

function sizeFault(value: unknown): string | null {
  if (!hasUnit(value)) return `${tell(value)} has no unit`;
  const mib = typeof value === 'string' ? parseDataSizeMib(value) : null;
  if (mib === null) return `${tell(value)} is not a size`;
  return mib > maxDataSizeMib ? `${tell(value)} is more than a pebibyte` : null;
}

export const dataSizeSchema = leaf<string>(sizeFault, dataSizeExpected, { type: 'string', pattern: '^\\d+(\\.\\d+)?[KMGT]i?B$' });

export const cpuSchema = leaf<number>(
  (value) => (parseCpuMillis(value) === null ? `${tell(value)} is not a number of cores` : null),
  cpuExpected,
  { type: 'number', minimum: 0, maximum: 4096, multipleOf: 0.001 },
);

export const labelsExpressionSchema = textLeaf((text) => {
  const parsed = parseLabelExpression(text);
  return parsed.ok ? null : `the labels expression cannot be read: ${parsed.error.message}`;
}, 'e.g. `os = linux and zone in (dc1, dc2)`');

const templateExpected = 'a text, with `${' + '{ parameters.NAME }}` where a value belongs';

function templateFault(text: string): string | null {
  const { faults } = findExpressions(text);
  if (faults.length === 0) return null;
  return faults.map(({ expression, message, offset }) => `${tell(expression)}: ${message} (at character ${offset + 1})`).join('; ');
}

export const templateSchema = textLeaf(templateFault, templateExpected);

/** A text that is an expression as a whole, without `${{ }}`. */
export const expressionSchema = textLeaf((text) => {
  if (hasReference(text)) return 'it is an expression already; leave out the `${' + '{` and the `}}`';
  const parsed = parseExpression(text);
  return parsed.ok ? null : parsed.faults.map(({ message, offset }) => `${message} (at character ${offset + 1})`).join('; ');
}, 'an expression such as `tasks.check.outputs.rows > 1000`');

/** Values of `env`: numbers and booleans become text. */
export const environmentValueSchema = leaf<string | number | boolean>(
  (value) => {
    if (typeof value === 'string') return templateFault(value);
    if (typeof value === 'number' || typeof value === 'boolean') return null;
    return `${tell(value)} is not a text; write "" for an empty one`;
  },
  'a text, a number, true or false',
  { type: ['string', 'number', 'boolean'] },
);

/** Script text: no value expression in it, so that there is nothing to inject into. */
export const scriptSchema = textLeaf((text) => {
  if (text.trim() === '') return 'the script is empty';
  return hasReference(text) ? scriptReferenceMessage : null;
}, 'the text of a script');

export const urlSchema: z.ZodType<string> = textLeaf(
  (text) => (/^(https?:\/\/|\$\{\{)/.test(text) ? templateFault(text) : `${tell(text)} does not begin with http:// or https://`),
  'an address beginning with `http://` or `https://`',
);

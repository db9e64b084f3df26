import { maxExplanationLength } from '@medley/contracts';
import { maxOutputBytes, maxOutputs, type Outputs } from '@medley/core';
import type { AttemptEnding } from './settlement.types.js';

/**
 * An ending whose values every column takes, so that what one agent reports can never make the database refuse the whole batch: exit codes as signed
 * 32-bit numbers (Windows has larger ones, 0xC0000005), texts without NUL and without half surrogate pairs.
 */
export function storableEnding(ending: AttemptEnding): AttemptEnding {
  return {
    ...ending,
    exitCode: ending.exitCode === null ? null : ending.exitCode | 0,
    signal: storableText(ending.signal),
    detail: storableText(ending.detail),
    explanation: storableExplanation(ending.explanation),
    ...(ending.outputs === undefined ? {} : { outputs: storableOutputs(ending.outputs) }),
  };
}

/** As JSON that jsonb takes; one that is longer than those of our agents is left out. */
function storableExplanation(explanation: AttemptEnding['explanation']): AttemptEnding['explanation'] {
  if (!explanation) return null;
  const text = JSON.stringify(explanation);
  return text.length > maxExplanationLength ? null : (storableJson(text) as AttemptEnding['explanation']);
}

/** As JSON that jsonb takes; what exceeds the limits that agents keep is not stored: no agent of ours sends it. */
function storableOutputs(outputs: Outputs): Outputs | undefined {
  const text = JSON.stringify(outputs);
  if (Object.keys(outputs).length > maxOutputs || text.length > 4 * maxOutputBytes) return undefined;
  return storableJson(text) as Outputs;
}

/** Keys are texts as well. */
function storableJson(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value === 'string') return storableText(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storableText(key), inner]));
  });
}

function storableText(text: string | null): string | null {
  return text === null ? null : Buffer.from(text.replaceAll('\0', '\ufffd')).toString();
}

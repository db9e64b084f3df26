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
    ...(ending.outputs === undefined ? {} : { outputs: storableOutputs(ending.outputs) }),
  };
}

/** As JSON that jsonb takes; what exceeds the limits that agents keep is not stored: no agent of ours sends it. */
function storableOutputs(outputs: Outputs): Outputs | undefined {
  const text = JSON.stringify(outputs);
  if (Object.keys(outputs).length > maxOutputs || text.length > 4 * maxOutputBytes) return undefined;
  return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? storableText(value) : value)) as Outputs;
}

function storableText(text: string | null): string | null {
  return text === null ? null : Buffer.from(text.replaceAll('\0', '\ufffd')).toString();
}

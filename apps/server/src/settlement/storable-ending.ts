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
  };
}

function storableText(text: string | null): string | null {
  return text === null ? null : Buffer.from(text.replaceAll('\0', '\ufffd')).toString();
}

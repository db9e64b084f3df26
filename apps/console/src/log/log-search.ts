import { type LogLine, textOf } from './log-buffer.js';

/** Indexes of the lines that hold the text, without regard to case. */
export function findLines(lines: readonly LogLine[], wanted: string): number[] {
  const needle = wanted.toLowerCase();
  if (needle === '') return [];
  return lines.flatMap((line, index) => (textOf(line).toLowerCase().includes(needle) ? [index] : []));
}

/** Words by which programs tell that something failed. */
const trouble = /\b(error|exception|traceback|fatal|panic|failed)\b/i;

/** Index of the first line that looks like a failure, or -1. */
export function firstTrouble(lines: readonly LogLine[]): number {
  return lines.findIndex((line) => trouble.test(textOf(line)));
}

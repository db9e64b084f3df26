import { type LogLine, textOf } from './log-buffer.js';

/** Words by which programs tell that something failed. */
const trouble = /\b(error|exception|traceback|fatal|panic|failed)\b/i;

/** What is looked through: lines of which `dropped` stood before the first, and the number of the first line that changed since the last look. */
export interface SearchedLines {
  lines: readonly LogLine[];
  dropped: number;
  changedFrom: number;
}

/** Finds lines in a log that grows: each look goes over what is new only, unless something else is wanted. Lines are named by their number. */
export class LineSearch {
  #wanted = '';
  #matches: number[] = [];
  #trouble: number | null = null;
  #lookedTo = 0;

  /** Numbers of the lines that hold the text, without regard to case, and of the first line that looks like a failure. */
  look({ lines, dropped, changedFrom }: SearchedLines, wanted: string): { matches: readonly number[]; trouble: number | null } {
    const needle = wanted.toLowerCase();
    const isNew = needle !== this.#wanted;
    this.#wanted = needle;
    const from = Math.max(dropped + 1, Math.min(changedFrom, this.#lookedTo + 1));
    this.#findTrouble(lines, dropped, from);
    this.#findMatches(lines, dropped, isNew ? dropped + 1 : from);
    this.#lookedTo = dropped + lines.length;
    return { matches: this.#matches, trouble: this.#trouble };
  }

  #findTrouble(lines: readonly LogLine[], dropped: number, from: number): void {
    if (this.#trouble !== null && this.#trouble < from && this.#trouble > dropped) return;
    const start = this.#trouble !== null && this.#trouble <= dropped ? dropped + 1 : from;
    this.#trouble = null;
    for (let number = start; number <= dropped + lines.length; number += 1) {
      if (!trouble.test(textOf(lines[number - dropped - 1]!))) continue;
      this.#trouble = number;
      return;
    }
  }

  #findMatches(lines: readonly LogLine[], dropped: number, from: number): void {
    if (this.#wanted === '') {
      this.#matches = [];
      return;
    }
    const kept = this.#matches.filter((number) => number < from && number > dropped);
    for (let number = from; number <= dropped + lines.length; number += 1)
      if (
        textOf(lines[number - dropped - 1]!)
          .toLowerCase()
          .includes(this.#wanted)
      )
        kept.push(number);
    this.#matches = kept;
  }
}

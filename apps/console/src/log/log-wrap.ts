import type { LogSegment } from './log-buffer.js';

/** Ranges of characters that a terminal draws two columns wide: Hangul, CJK, kana, full-width forms, emoji. */
function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0x1f300 && code <= 0x1faff)
  );
}

/**
 * Breaks a line into rows of at most `columns` columns, each with its colours. An empty line is one row. Rows are all of one height, so that a window over a
 * hundred thousand of them knows where each is without drawing it.
 */
export function wrapLine(segments: readonly LogSegment[], columns: number): LogSegment[][] {
  const rows: LogSegment[][] = [[]];
  let used = 0;
  for (const { text, style } of segments) {
    let start = 0;
    for (let at = 0; at < text.length; ) {
      const code = text.codePointAt(at)!;
      const width = isWide(code) ? 2 : 1;
      if (used + width > columns && used > 0) {
        if (at > start) rows.at(-1)!.push({ text: text.slice(start, at), style });
        rows.push([]);
        start = at;
        used = 0;
      }
      used += width;
      at += code > 0xffff ? 2 : 1;
    }
    if (start < text.length) rows.at(-1)!.push({ text: text.slice(start), style });
  }
  return rows;
}

/** Into how many rows `wrapLine` breaks a line. */
export function rowCount(segments: readonly LogSegment[], columns: number): number {
  let length = 0;
  let isPlain = true;
  for (const { text } of segments) {
    length += text.length;
    isPlain &&= !/[^\x20-\x7e]/.test(text);
  }
  if (length * 2 <= columns) return 1;
  return isPlain ? Math.max(1, Math.ceil(length / columns)) : wrapLine(segments, columns).length;
}

/** Where each line of a wrapped log begins, in rows; brought up to date from the first line that changed. */
export class WrapPlaces {
  #starts: number[] = [0];

  constructor(readonly columns: number) {}

  get rows(): number {
    return this.#starts.at(-1)!;
  }

  update(lines: readonly { segments: readonly LogSegment[] }[], changedFrom: number): void {
    const from = Math.min(Math.max(0, changedFrom), this.#starts.length - 1);
    this.#starts.length = from + 1;
    for (let index = from; index < lines.length; index += 1)
      this.#starts.push(this.#starts[index]! + rowCount(lines[index]!.segments, this.columns));
  }

  startOf(line: number): number {
    return this.#starts[line] ?? this.rows;
  }

  /** The line that a row belongs to. */
  lineAt(row: number): number {
    let low = 0;
    let high = this.#starts.length - 2;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

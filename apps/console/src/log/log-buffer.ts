import type { LogPart } from '@medley/contracts';
import { AnsiParser, type AnsiToken } from './ansi-parser.js';
import type { AnsiStyle } from './ansi-style.js';

export type LogStream = LogPart['stream'];

export interface LogSegment {
  text: string;
  style: AnsiStyle;
}

/** A line as it stands; progress bars rewrite theirs, so `revision` grows with each change. */
export interface LogLine {
  number: number;
  stream: LogStream;
  receivedAt: string;
  segments: LogSegment[];
  revision: number;
}

interface StreamState {
  parser: AnsiParser;
  /** The line still being written. */
  open: LogLine | null;
  /** The next text begins at the left margin. */
  isRewound: boolean;
}

/** More lines than anyone reads in a browser; the download has them all. */
const maxLines = 300_000;

/** Assembles lines out of the chunks of all streams, in the order received, as terminals would show them. */
export class LogBuffer {
  readonly lines: LogLine[] = [];
  /** Lines dropped at the front. */
  dropped = 0;
  #next = 1;
  #changedFrom = 1;
  readonly #streams = new Map<LogStream, StreamState>();

  append(parts: readonly LogPart[]): void {
    for (const part of parts) {
      const state = this.#stateOf(part.stream);
      for (const token of state.parser.read(part.text)) this.#apply(token, state, part);
    }
    if (this.lines.length > maxLines) this.dropped += this.lines.splice(0, this.lines.length - maxLines).length;
  }

  /** The lines, and the number of the first one that was added or rewritten since this was asked last. */
  takeChanges(): { lines: readonly LogLine[]; dropped: number; changedFrom: number } {
    const changes = { lines: this.lines, dropped: this.dropped, changedFrom: this.#changedFrom };
    this.#changedFrom = this.#next;
    return changes;
  }

  #apply(token: AnsiToken, state: StreamState, part: LogPart): void {
    switch (token.kind) {
      case 'text':
        this.#write(token, state, part);
        return;
      case 'carriage-return':
        state.isRewound = true;
        return;
      case 'erase-line':
        if (state.open !== null && state.isRewound) this.#clear(state.open);
        return;
      case 'line-feed':
        if (state.open === null) this.#open(state, part);
        state.open = null;
        state.isRewound = false;
    }
  }

  #write(token: LogSegment, state: StreamState, part: LogPart): void {
    const line = state.open ?? this.#open(state, part);
    if (state.isRewound) this.#clear(line);
    state.isRewound = false;
    line.segments.push({ text: token.text, style: token.style });
    this.#noteChange(line);
  }

  #clear(line: LogLine): void {
    line.segments = [];
    this.#noteChange(line);
  }

  #noteChange(line: LogLine): void {
    line.revision += 1;
    this.#changedFrom = Math.min(this.#changedFrom, line.number);
  }

  #open(state: StreamState, part: LogPart): LogLine {
    const line: LogLine = { number: this.#next, stream: part.stream, receivedAt: part.receivedAt, segments: [], revision: 0 };
    this.#next += 1;
    this.lines.push(line);
    state.open = line;
    return line;
  }

  #stateOf(stream: LogStream): StreamState {
    const known = this.#streams.get(stream);
    if (known !== undefined) return known;
    const state: StreamState = { parser: new AnsiParser(), open: null, isRewound: false };
    this.#streams.set(stream, state);
    return state;
  }
}

export function textOf(line: LogLine): string {
  return line.segments.map((segment) => segment.text).join('');
}

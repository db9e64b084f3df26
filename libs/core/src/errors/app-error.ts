import { type ForeignPhrase, inEnglish, type Phrase } from '../phrases/index.js';
import { type ErrorCode, type ErrorKind, errorCatalogue } from './catalogue.js';

/** One fault in what was sent: where it is, what is wrong, and what would be right. */
export interface FieldError {
  /** Dotted path into the body, e.g. `tasks.extract.timeout`; empty for the whole. */
  path: string;
  /** What is wrong, in English. */
  message: string;
  /** The same as a code and its values, where the text is ours. */
  code?: string;
  values?: Readonly<Record<string, unknown>>;
  expected?: string;
  /** The same for what was expected. */
  expectation?: ForeignPhrase;
  /** One-based position in the source text, where there is one. */
  line?: number;
  column?: number;
}

/** A fault of a field, told by phrases. */
export function fieldError(path: string, fault: Phrase, expected?: Phrase): FieldError {
  return { path, message: inEnglish(fault), ...fault, ...(expected && { expected: inEnglish(expected), expectation: expected }) };
}

/**
 * A refusal with a stable code from the catalogue. `detail` tells the reader what happened and what to do next: a phrase, so that the console says it in the
 * reader's language, or a text where it is not ours. `fields` lists every fault found, not only the first.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  /** In English. */
  readonly detail: string;
  /** What `detail` says; null where that is not ours. */
  readonly phrase: Phrase | null;

  constructor(
    readonly code: ErrorCode,
    told: Phrase | string,
    readonly fields?: readonly FieldError[],
    options?: { cause?: unknown },
  ) {
    const detail = typeof told === 'string' ? told : inEnglish(told);
    super(`${code}: ${detail}`, options);
    this.detail = detail;
    this.phrase = typeof told === 'string' ? null : told;
  }

  get kind(): ErrorKind {
    return errorCatalogue[this.code].kind;
  }

  get title(): string {
    return errorCatalogue[this.code].title;
  }
}

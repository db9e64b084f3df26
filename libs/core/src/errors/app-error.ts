import { type ErrorCode, type ErrorKind, errorCatalogue } from './catalogue.js';

/** One fault in what was sent: where it is, what is wrong, and what would be right. */
export interface FieldError {
  /** Dotted path into the body, e.g. `tasks.extract.timeout`; empty for the whole. */
  path: string;
  message: string;
  expected?: string;
  /** One-based position in the source text, where there is one. */
  line?: number;
  column?: number;
}

/**
 * A refusal with a stable code from the catalogue. `detail` tells the reader what happened and what to do next;
 * `fields` lists every fault found, not only the first.
 */
export class AppError extends Error {
  override readonly name = 'AppError';

  constructor(
    readonly code: ErrorCode,
    readonly detail: string,
    readonly fields?: readonly FieldError[],
    options?: { cause?: unknown },
  ) {
    super(`${code}: ${detail}`, options);
  }

  get kind(): ErrorKind {
    return errorCatalogue[this.code].kind;
  }

  get title(): string {
    return errorCatalogue[this.code].title;
  }
}

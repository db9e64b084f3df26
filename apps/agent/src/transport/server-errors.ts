import { z } from 'zod';

const problemSchema = z.object({ code: z.string(), detail: z.string().optional(), title: z.string().optional() });

/** No server gave a usable answer: network, timeout, or a server that says it cannot at the moment. The request may have been applied. */
export class ServerUnreachableError extends Error {
  override readonly name = 'ServerUnreachableError';

  constructor(url: string, cause: unknown) {
    super(`${url}: ${describeCause(cause)}`, { cause });
  }
}

/** The server understood and refused; asking again unchanged is pointless. */
export class ServerAnswerError extends Error {
  override readonly name = 'ServerAnswerError';

  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
  ) {
    super(`${code} (${status}): ${detail}`);
  }

  static fromBody(status: number, text: string): ServerAnswerError {
    try {
      const problem = problemSchema.parse(JSON.parse(text));
      return new ServerAnswerError(status, problem.code, problem.detail ?? problem.title ?? '');
    } catch {
      return new ServerAnswerError(status, `status-${status}`, text.slice(0, 300));
    }
  }
}

function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) {
    return String(cause);
  }
  const code = (cause as NodeJS.ErrnoException).code;
  return cause.message || code || cause.name;
}

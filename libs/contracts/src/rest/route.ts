import type { z } from 'zod';

/** Where the REST API is mounted on every server. */
export const REST_PREFIX = '/api/v1';

export type RestMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** One operation of the API; `path` is below the prefix and names parameters as `:id`. */
export interface RestRoute {
  method: RestMethod;
  path: string;
  summary: string;
  query?: z.ZodType;
  body?: z.ZodType;
  /** What a JSON body has to be, where `body` lets more through so that every fault is told at once. By name: a browser need not load the schema to call. */
  bodyForm?: 'workflow-file';
  /** Content types of the body besides application/json. */
  bodyTypes?: readonly string[];
  /** Absent when the answer has no body, or is not JSON (see `answerType`). */
  answer?: z.ZodType;
  answerType?: string;
  /** 200 unless said otherwise. */
  status?: number;
  /** Takes an `Idempotency-Key`: repeated under the same key, it is done once. */
  repeatable?: boolean;
  /** Takes an `If-Match` with the ETag of what the caller has read. */
  conditional?: boolean;
  /** The answer carries an `ETag`. */
  tagged?: boolean;
  /** The data of one `changed` event, for a `text/event-stream`. */
  events?: z.ZodType;
  /** No sign-in needed. */
  open?: boolean;
}

/** Fills `:name` parameters in, escaped, and puts the prefix before: `restPath('/runs/:id', { id })`. */
export function restPath(path: string, parameters: Record<string, string | number> = {}): string {
  const filled = path.replace(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = parameters[name];
    if (value === undefined) throw new TypeError(`the path ${path} needs a value for "${name}"`);
    return encodeURIComponent(String(value));
  });
  return `${REST_PREFIX}${filled}`;
}

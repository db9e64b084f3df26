import type { AuditEntity } from '@medley/contracts';
import type { Sql } from '@medley/database';

/** What was asked for, before anything has been checked but the right to ask. */
export interface AuditedRequest {
  params: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
  body: Readonly<Record<string, unknown>>;
  callerId: string | null;
}

/** A thing as it is at a moment. */
export interface AuditedThing {
  id: string | null;
  name: string | null;
  projectId: string | null;
  /** What a change of it would be a change of. Names of secrets only, never their values. */
  state: Readonly<Record<string, unknown>>;
  /** The state before, where it can be read after the call only. */
  was?: Readonly<Record<string, unknown>> | null;
}

/** What is answered by the handler, when it has succeeded. */
export type Answer = Readonly<Record<string, unknown>>;

/** How it is found out what a call changes. */
export interface AuditRule {
  entity: AuditEntity;
  /** Reads the thing before the call, without an answer, and after it. Null when there is none, e.g. because it is only created, or has been removed. */
  read?: (sql: Sql, request: AuditedRequest, answer?: Answer) => Promise<AuditedThing | null>;
  /** Told beside what was read or in its place: what was asked or answered that no state shows. */
  tell?: (request: AuditedRequest, answer: Answer) => Partial<AuditedThing>;
  /** Calls that change nothing by what they ask. */
  isIdle?: (request: AuditedRequest) => boolean;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The value when it is a UUID that Postgres will take. */
export function uuidIn(value: unknown): string | null {
  return typeof value === 'string' && UUID.test(value) ? value : null;
}

type Reader = NonNullable<AuditRule['read']>;

/** A statement that yields `id`, `name`, `"projectId"` and `state` of what the ids say. */
export type ThingQuery = string;

async function readThing(sql: Sql, query: ThingQuery, ids: readonly unknown[]): Promise<AuditedThing | null> {
  const known = ids.map(uuidIn);
  if (known.includes(null)) return null;
  const [thing] = await sql.query<AuditedThing>(query, known);
  return thing ?? null;
}

/** The thing whose id the path holds. */
export const inPath =
  (query: ThingQuery, ...names: string[]): Reader =>
  (sql, { params }) =>
    readThing(sql, query, names.length === 0 ? [params.id] : names.map((name) => params[name]));

/** The thing whose id is answered: there is none before. */
export const inAnswer =
  (query: ThingQuery, name = 'id'): Reader =>
  (sql, _, answer) =>
    readThing(sql, query, [answer?.[name]]);

/** The thing that ids of the request say, wherever they are in it. */
export const inRequest =
  (query: ThingQuery, ids: (request: AuditedRequest) => readonly unknown[]): Reader =>
  (sql, request) =>
    readThing(sql, query, ids(request));

/** One call that changes many things at once: what was asked for, and how many it hit. A dry run changes nothing. */
export const inBulk = (entity: AuditEntity): AuditRule => ({
  entity,
  tell: ({ body: { dryRun: _, ...asked } }, answer) => ({ projectId: uuidIn(asked.projectId), state: { asked, answer } }),
  isIdle: ({ body }) => body.dryRun === true,
});

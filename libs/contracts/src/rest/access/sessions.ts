import { z } from 'zod';
import { instantSchema, pageOf, pageQuerySchema, sortSchema } from '../paging.js';

/** `lastSeenAt` is exact to the minute. `isCurrent` marks the session that asks. */
export const sessionViewSchema = z
  .object({
    id: z.uuid(),
    isCurrent: z.boolean(),
    address: z.string().nullable(),
    userAgent: z.string().nullable(),
    createdAt: instantSchema,
    lastSeenAt: instantSchema,
    expiresAt: instantSchema,
  })
  .meta({ id: 'Session' });
export type SessionView = z.infer<typeof sessionViewSchema>;
export const sessionPageSchema = pageOf(sessionViewSchema, 'SessionPage');

/** A session as an administrator sees it. */
export const ownedSessionSchema = sessionViewSchema.extend({ userId: z.uuid(), user: z.string() }).meta({ id: 'OwnedSession' });
export type OwnedSession = z.infer<typeof ownedSessionSchema>;
export const ownedSessionPageSchema = pageOf(ownedSessionSchema, 'OwnedSessionPage');

const sessionSorts = ['created', 'lastSeen', 'expires', 'address'] as const;
export const sessionQuerySchema = pageQuerySchema.extend({ sort: sortSchema(sessionSorts, '-created') });
export type SessionQuery = z.infer<typeof sessionQuerySchema>;
export const ownedSessionQuerySchema = pageQuerySchema.extend({
  userId: z.uuid().optional(),
  sort: sortSchema([...sessionSorts, 'user'], '-created'),
});
export type OwnedSessionQuery = z.infer<typeof ownedSessionQuerySchema>;

/** How many sessions and API tokens have ended by a call. */
export const endedCredentialsSchema = z
  .object({ sessions: z.number().int(), apiTokens: z.number().int() })
  .meta({ id: 'EndedCredentials' });
export type EndedCredentials = z.infer<typeof endedCredentialsSchema>;

import { z } from 'zod';
import { instantSchema, pageOf, pageQuerySchema, sortSchema } from '../paging.js';
import { tokenScopeSchema } from './sign-in.js';

/** `projectId` is the only project the token is good for; null for all projects of its user. */
export const apiTokenSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    scopes: z.array(tokenScopeSchema),
    projectId: z.uuid().nullable(),
    project: z.string().nullable(),
    createdAt: instantSchema,
    expiresAt: instantSchema.nullable(),
    lastUsedAt: instantSchema.nullable(),
    revokedAt: instantSchema.nullable(),
  })
  .meta({ id: 'ApiToken' });
export type ApiToken = z.infer<typeof apiTokenSchema>;
export const apiTokenPageSchema = pageOf(apiTokenSchema, 'ApiTokenPage');

/** A token as an administrator sees it. */
export const ownedApiTokenSchema = apiTokenSchema.extend({ userId: z.uuid(), user: z.string() }).meta({ id: 'OwnedApiToken' });
export type OwnedApiToken = z.infer<typeof ownedApiTokenSchema>;
export const ownedApiTokenPageSchema = pageOf(ownedApiTokenSchema, 'OwnedApiTokenPage');

const tokenSorts = ['name', 'created', 'expires', 'lastUsed'] as const;
/** What never expires does so after all others; what was never used was so before all others. */
export const tokenQuerySchema = pageQuerySchema.extend({ sort: sortSchema(tokenSorts, '-created') });
export type TokenQuery = z.infer<typeof tokenQuerySchema>;
export const ownedTokenQuerySchema = pageQuerySchema.extend({
  userId: z.uuid().optional(),
  sort: sortSchema([...tokenSorts, 'user'], '-created'),
});
export type OwnedTokenQuery = z.infer<typeof ownedTokenQuerySchema>;

export const createApiTokenSchema = z
  .object({
    name: z.string().min(1).max(100),
    scopes: z.array(tokenScopeSchema).min(1),
    projectId: z.uuid().nullish(),
    /** Never expires when null. */
    expiresInDays: z.number().int().min(1).max(3650).nullable().default(90),
  })
  .meta({ id: 'CreateApiToken' });
export type CreateApiToken = z.infer<typeof createApiTokenSchema>;

/** `token` is shown this once. */
export const createdApiTokenSchema = apiTokenSchema.extend({ token: z.string() }).meta({ id: 'CreatedApiToken' });
export type CreatedApiToken = z.infer<typeof createdApiTokenSchema>;

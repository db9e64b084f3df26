import { z } from 'zod';
import { instantSchema, pageOf } from './paging.js';

export const loginRequestSchema = z
  .object({ name: z.string().min(1).max(100), password: z.string().min(1).max(500) })
  .meta({ id: 'LoginRequest' });
export type LoginRequest = z.infer<typeof loginRequestSchema>;

export const tokenScopeSchema = z.enum(['read', 'write', 'admin']);
export type TokenScope = z.infer<typeof tokenScopeSchema>;

/** Who calls. `scopes` of a session are all of them when the user is an administrator. */
export const meSchema = z
  .object({
    userId: z.uuid(),
    name: z.string(),
    isAdmin: z.boolean(),
    via: z.enum(['session', 'token']),
    scopes: z.array(tokenScopeSchema),
    expiresAt: instantSchema.nullable(),
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof meSchema>;

export const apiTokenSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    scopes: z.array(tokenScopeSchema),
    createdAt: instantSchema,
    expiresAt: instantSchema.nullable(),
    lastUsedAt: instantSchema.nullable(),
    revokedAt: instantSchema.nullable(),
  })
  .meta({ id: 'ApiToken' });
export type ApiToken = z.infer<typeof apiTokenSchema>;
export const apiTokenPageSchema = pageOf(apiTokenSchema, 'ApiTokenPage');

export const createApiTokenSchema = z
  .object({
    name: z.string().min(1).max(100),
    scopes: z.array(tokenScopeSchema).min(1),
    /** Never expires when null. */
    expiresInDays: z.number().int().min(1).max(3650).nullable().default(90),
  })
  .meta({ id: 'CreateApiToken' });
export type CreateApiToken = z.infer<typeof createApiTokenSchema>;

/** `token` is shown this once. */
export const createdApiTokenSchema = apiTokenSchema.extend({ token: z.string() }).meta({ id: 'CreatedApiToken' });
export type CreatedApiToken = z.infer<typeof createdApiTokenSchema>;

export const labelsSchema = z.record(z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,62}$/), z.string().max(200));
export type Labels = z.infer<typeof labelsSchema>;

/** Upper bounds an operator sets on what a node may offer; what is absent is not bounded. */
export const capacityCapSchema = z
  .object({
    cpuMillis: z.number().int().positive().optional(),
    memoryMib: z.number().int().positive().optional(),
    diskMib: z.number().int().nonnegative().optional(),
    gpuCount: z.number().int().nonnegative().optional(),
  })
  .meta({ id: 'CapacityCap' });
export type CapacityCap = z.infer<typeof capacityCapSchema>;

export const joinTokenSchema = z
  .object({
    id: z.uuid(),
    poolId: z.uuid(),
    pool: z.string(),
    labels: labelsSchema,
    declaredSpeed: z.number().positive().nullable(),
    capacityCap: capacityCapSchema.nullable(),
    maxUses: z.number().int(),
    uses: z.number().int(),
    createdAt: instantSchema,
    expiresAt: instantSchema,
    revokedAt: instantSchema.nullable(),
  })
  .meta({ id: 'JoinToken' });
export type JoinToken = z.infer<typeof joinTokenSchema>;
export const joinTokenPageSchema = pageOf(joinTokenSchema, 'JoinTokenPage');

export const createJoinTokenSchema = z
  .object({
    /** Name of the pool its nodes join. */
    pool: z.string().default('default'),
    labels: labelsSchema.default({}),
    declaredSpeed: z.number().positive().max(1000).nullable().default(null),
    capacityCap: capacityCapSchema.nullable().default(null),
    maxUses: z.number().int().min(1).max(10_000).default(1),
    expiresInHours: z.number().min(0.01).max(8760).default(24),
  })
  .meta({ id: 'CreateJoinToken' });
export type CreateJoinToken = z.infer<typeof createJoinTokenSchema>;

/** `token` is shown this once. */
export const createdJoinTokenSchema = joinTokenSchema.extend({ token: z.string() }).meta({ id: 'CreatedJoinToken' });
export type CreatedJoinToken = z.infer<typeof createdJoinTokenSchema>;

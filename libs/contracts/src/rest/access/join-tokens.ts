import { z } from 'zod';
import { instantSchema, pageOf, pageQuerySchema, sortSchema } from '../paging.js';

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

export const joinTokenQuerySchema = pageQuerySchema.extend({ sort: sortSchema(['pool', 'uses', 'created', 'expires'], '-created') });
export type JoinTokenQuery = z.infer<typeof joinTokenQuerySchema>;

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

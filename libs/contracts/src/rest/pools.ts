import { maxPrefetch } from '@medley/core';
import { z } from 'zod';
import { instantSchema, pageOf, pageQuerySchema, sortSchema } from './paging.js';
import { projectNameSchema } from './projects.js';

/** What a policy may say beside its selector. */
const anySelector = {
  /** A node whose latest CPU load is at or above this takes no new work; left out, load does not matter. */
  maxCpuPercent: z.number().int().min(1).max(100).optional(),
  /** How many short tasks may wait on each node for room that is about to be free, so that none is lost between two; 0 for none, 2 when left out. */
  prefetch: z.number().int().min(0).max(maxPrefetch).optional(),
};

/** How a pool chooses a node. `k` of resource-pick-kx: 0 is uniform, 1 proportional to performance, larger is greedier. */
export const poolPolicySchema = z
  .discriminatedUnion('selector', [
    z.strictObject({
      selector: z.literal('resource-pick-kx'),
      k: z.union([z.number().min(0).max(1000), z.literal('infinity')]).default(1),
      ...anySelector,
    }),
    z.strictObject({ selector: z.literal('smooth-weighted-round-robin'), ...anySelector }),
    z.strictObject({ selector: z.literal('earliest-finish'), ...anySelector }),
    z.strictObject({ selector: z.literal('random'), ...anySelector }),
  ])
  .meta({ id: 'PoolPolicy' });
export type PoolPolicy = z.infer<typeof poolPolicySchema>;

export const poolViewSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    policy: poolPolicySchema,
    nodeCount: z.number().int(),
    onlineCount: z.number().int(),
    waitingCount: z.number().int(),
    createdAt: instantSchema,
  })
  .meta({ id: 'Pool' });
export type PoolView = z.infer<typeof poolViewSchema>;
export const poolPageSchema = pageOf(poolViewSchema, 'PoolPage');

export const poolQuerySchema = pageQuerySchema.extend({
  search: z.string().max(100).optional(),
  sort: sortSchema(['name', 'nodes', 'waiting', 'created'], 'name'),
});
export type PoolQuery = z.infer<typeof poolQuerySchema>;

export const createPoolSchema = z
  .strictObject({
    /** Of the form of a project's name, so that a workflow file can name it. */
    name: projectNameSchema,
    policy: poolPolicySchema.default({ selector: 'resource-pick-kx', k: 1 }),
  })
  .meta({ id: 'CreatePool' });
export type CreatePool = z.infer<typeof createPoolSchema>;

export const patchPoolSchema = z.strictObject({ policy: poolPolicySchema }).meta({ id: 'PatchPool' });
export type PatchPool = z.infer<typeof patchPoolSchema>;

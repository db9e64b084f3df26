import { z } from 'zod';
import { cpuLimitSchema, measuredPerformanceSchema, nodeCapacitySchema, nodeLoadSchema } from '../agent/node-facts.js';
import { labelsSchema } from './access/join-tokens.js';
import { instantSchema, pageOf, pageQuerySchema } from './paging.js';
import { attemptStateSchema } from './run-states.js';

export const nodeStateSchema = z.enum(['online', 'unreachable', 'offline']);
export type NodeState = z.infer<typeof nodeStateSchema>;

/**
 * `effective` is the performance x that selectors use: the declared speed where there is one, otherwise what was measured. A `cpuLimit` shows in what
 * was measured.
 */
export const nodePerformanceSchema = z
  .object({
    measured: measuredPerformanceSchema.nullable(),
    measuredAt: instantSchema.nullable(),
    declaredSpeed: z.number().nullable(),
    cpuLimit: cpuLimitSchema.nullable(),
    effective: z.number(),
  })
  .meta({ id: 'NodePerformance' });

export const nodeListItemSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    poolId: z.uuid(),
    pool: z.string(),
    state: nodeStateSchema,
    stateSince: instantSchema,
    cordoned: z.boolean(),
    draining: z.boolean(),
    labels: labelsSchema,
    os: z.string(),
    arch: z.string(),
    hostname: z.string(),
    agentVersion: z.string(),
    runtimes: z.array(z.string()),
    capacity: nodeCapacitySchema,
    used: nodeCapacitySchema,
    liveAttempts: z.number().int(),
    maxAttempts: z.number().int(),
    performance: nodePerformanceSchema,
    load: nodeLoadSchema.nullable(),
    lastHeartbeatAt: instantSchema.nullable(),
    createdAt: instantSchema,
  })
  .meta({ id: 'NodeListItem' });
export type NodeListItem = z.infer<typeof nodeListItemSchema>;
export const nodePageSchema = pageOf(nodeListItemSchema, 'NodePage');

export const nodeQuerySchema = pageQuerySchema.extend({ poolId: z.uuid().optional(), state: nodeStateSchema.optional() });
export type NodeQuery = z.infer<typeof nodeQuerySchema>;

export const nodeAttemptSchema = z
  .object({
    id: z.uuid(),
    taskRunId: z.uuid(),
    runId: z.uuid(),
    workflow: z.string(),
    taskKey: z.string(),
    state: attemptStateSchema,
    dispatchedAt: instantSchema,
    startedAt: instantSchema.nullable(),
    reserved: nodeCapacitySchema,
  })
  .meta({ id: 'NodeAttempt' });
export type NodeAttempt = z.infer<typeof nodeAttemptSchema>;

/** `attempts` holds those of the caller's projects; `hiddenAttempts` counts the others, and those beyond the first thousand. */
export const nodeViewSchema = nodeListItemSchema
  .extend({ attempts: z.array(nodeAttemptSchema), hiddenAttempts: z.number().int() })
  .meta({ id: 'Node' });
export type NodeView = z.infer<typeof nodeViewSchema>;

export const patchNodeSchema = z
  .strictObject({
    cordoned: z.boolean().optional(),
    draining: z.boolean().optional(),
    declaredSpeed: z.number().nonnegative().max(1000).nullable().optional(),
    labels: labelsSchema.optional(),
    maxAttempts: z.number().int().min(1).max(100_000).optional(),
  })
  .meta({ id: 'PatchNode' });
export type PatchNode = z.infer<typeof patchNodeSchema>;

import { inEnglish, parseLabelExpression, phrase } from '@medley/core';
import { z } from 'zod';
import { cpuLimitSchema, measuredPerformanceSchema, nodeCapacitySchema, nodeLoadSchema } from '../agent/node-facts.js';
import { labelsSchema } from './access/join-tokens.js';
import { instantSchema, pageOf, pageQuerySchema } from './paging.js';
import { attemptStateSchema } from './run-states.js';
import { told } from './told.js';

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

/** Why a node is cordoned or draining, as the operator gave it; `drainAttempts` is what it held when its drain began. Changes of an earlier release tell less. */
export const nodeServiceSchema = z
  .object({
    since: instantSchema.nullable(),
    reason: z.string().nullable(),
    by: z.string().nullable(),
    drainAttempts: z.number().int().nullable(),
  })
  .meta({ id: 'NodeService' });
export type NodeService = z.infer<typeof nodeServiceSchema>;

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
    /** Null while the node is in service. */
    service: nodeServiceSchema.nullable(),
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

const labelExpressionSchema = z
  .string()
  .max(1000)
  .superRefine((text, context) => {
    const parsed = parseLabelExpression(text);
    if (!parsed.ok) context.addIssue({ code: 'custom', message: inEnglish(parsed.error.text), params: { text: parsed.error.text } });
  });

/** Which nodes: `search` is part of a name or host, `labels` an expression as in a workflow file, `service` what an operator told the node. */
export const nodeFilterSchema = z.object({
  poolId: z.uuid().optional(),
  state: nodeStateSchema.optional(),
  service: z.enum(['open', 'cordoned', 'draining']).optional(),
  search: z.string().max(100).optional(),
  labels: labelExpressionSchema.optional(),
});
export type NodeFilter = z.infer<typeof nodeFilterSchema>;

export const nodeSortKeys = ['name', 'performance', 'load', 'cpu', 'memory', 'attempts', 'since'] as const;
export type NodeSortKey = (typeof nodeSortKeys)[number];
/** `cpu` and `memory` are the reserved share. A `-` before the key turns the order round; equal ones stand by name. */
export const nodeSortSchema = z.enum([...nodeSortKeys, ...nodeSortKeys.map((key) => `-${key}` as const)]);
export type NodeSort = z.infer<typeof nodeSortSchema>;

export const nodeQuerySchema = pageQuerySchema.extend({ ...nodeFilterSchema.shape, sort: nodeSortSchema.default('name') });
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
    /** Why it is cordoned or drained. */
    reason: z.string().trim().max(200).optional(),
    declaredSpeed: z.number().nonnegative().max(1000).nullable().optional(),
    labels: labelsSchema.optional(),
    maxAttempts: z.number().int().min(1).max(100_000).optional(),
  })
  .meta({ id: 'PatchNode' });
export type PatchNode = z.infer<typeof patchNodeSchema>;

/** Cordons or drains every node the filter finds, or takes it back; `dryRun` only counts. An empty filter means all nodes. */
export const changeNodesSchema = z
  .strictObject({
    filter: z.strictObject(nodeFilterSchema.shape),
    cordoned: z.boolean().optional(),
    draining: z.boolean().optional(),
    reason: z.string().trim().max(200).optional(),
    dryRun: z.boolean().default(false),
  })
  .refine(({ cordoned, draining }) => cordoned !== undefined || draining !== undefined, {
    path: ['cordoned'],
    error: told(phrase('say-what-to-change')),
  })
  .meta({ id: 'ChangeNodes' });
export type ChangeNodes = z.infer<typeof changeNodesSchema>;

/** What a change of many nodes hits: `found` by the filter, `changed` of them, what these hold, and the pools left without a node in service. */
export const nodesChangeSchema = z
  .object({
    dryRun: z.boolean(),
    found: z.number().int(),
    changed: z.number().int(),
    liveAttempts: z.number().int(),
    emptiedPools: z.array(z.string()),
  })
  .meta({ id: 'NodesChange' });
export type NodesChange = z.infer<typeof nodesChangeSchema>;

/** Per cent of one node's CPU over time: what its machine used and what attempts had reserved. Null where nothing was recorded. */
export const nodeLoadHistorySchema = z
  .object({
    stepSeconds: z.number().int(),
    at: z.array(instantSchema),
    cpuPercent: z.array(z.number().nullable()),
    reservedPercent: z.array(z.number().nullable()),
  })
  .meta({ id: 'NodeLoadHistory' });
export type NodeLoadHistory = z.infer<typeof nodeLoadHistorySchema>;

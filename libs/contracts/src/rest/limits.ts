import { phrase, quotaResources } from '@medley/core';
import { z } from 'zod';
import { instantSchema, pageOf, pageQuerySchema, sortSchema } from './paging.js';
import { projectNameSchema } from './projects.js';
import type { RestRoute } from './route.js';
import { attemptStateSchema, runStateSchema, taskRunStateSchema } from './run-states.js';
import { told } from './told.js';

export const maxLimitSlots = 1_000_000;
const maxRateSeconds = 31 * 86_400;

/** At most so many starts within any window of so many seconds. */
export const limitRateSchema = z
  .strictObject({ starts: z.number().int().min(1).max(maxLimitSlots), seconds: z.number().int().min(1).max(maxRateSeconds) })
  .meta({ id: 'LimitRate' });

const slotsSchema = z.number().int().min(0).max(maxLimitSlots);
const descriptionSchema = z.string().max(1000);

/**
 * `project` is null for a limit of the platform. `slots` null: any number at once, only the rate counts. A mutex is there from its first use in a workflow and always has
 * one slot. `waitingCount`: task runs that may start and take it, whatever else they wait for.
 */
export const limitViewSchema = z
  .object({
    id: z.uuid(),
    projectId: z.uuid().nullable(),
    project: z.string().nullable(),
    kind: z.enum(['limit', 'mutex']),
    name: z.string(),
    description: z.string(),
    slots: z.number().int().nullable(),
    rate: limitRateSchema.nullable(),
    taken: z.number().int(),
    holderCount: z.number().int(),
    waitingCount: z.number().int(),
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({ id: 'Limit' });
export type LimitView = z.infer<typeof limitViewSchema>;
export const limitPageSchema = pageOf(limitViewSchema, 'LimitPage');

const limitUserShape = {
  taskRunId: z.uuid(),
  runId: z.uuid(),
  workflow: z.string(),
  task: z.string(),
  project: z.string(),
  slots: z.number().int(),
};

export const limitHolderSchema = z
  .object({ ...limitUserShape, attemptId: z.uuid(), state: attemptStateSchema, node: z.string(), takenAt: instantSchema })
  .meta({ id: 'LimitHolder' });
export type LimitHolderView = z.infer<typeof limitHolderSchema>;

export const limitWaiterSchema = z
  .object({ ...limitUserShape, state: taskRunStateSchema, code: z.string().nullable(), priority: z.number().int(), readyAt: instantSchema })
  .meta({ id: 'LimitWaiter' });
export type LimitWaiterView = z.infer<typeof limitWaiterSchema>;

/**
 * Who holds a limit, in the order in which they took it, and who waits, in the order in which they are served; the first hundred of each. `hidden…` are those of projects
 * that the caller may not see. `started` are the starts within the rate's window.
 */
export const limitDetailSchema = limitViewSchema
  .extend({
    holders: z.array(limitHolderSchema),
    queue: z.array(limitWaiterSchema),
    hiddenHolders: z.number().int(),
    hiddenWaiting: z.number().int(),
    started: z.number().int().nullable(),
  })
  .meta({ id: 'LimitDetail' });
export type LimitDetail = z.infer<typeof limitDetailSchema>;

/** By `place`: those of the platform, then those of each project by name. What has no bound of slots has most of them. */
export const limitQuerySchema = pageQuerySchema.extend({
  projectId: z.uuid().optional(),
  sort: sortSchema(['place', 'name', 'slots', 'taken', 'waiting'], 'place'),
});
export type LimitQuery = z.infer<typeof limitQuerySchema>;

const limitsSomething = ({ slots, rate }: { slots?: number | null; rate?: object | null }) =>
  (slots !== null && slots !== undefined) || (rate !== null && rate !== undefined);

export const createLimitSchema = z
  .strictObject({
    /** Of the form of a project's name, so that a workflow file can name it. */
    name: projectNameSchema,
    description: descriptionSchema.default(''),
    slots: slotsSchema.nullable().default(null),
    rate: limitRateSchema.nullable().default(null),
  })
  .refine(limitsSomething, { path: ['slots'], error: told(phrase('limit-something')) })
  .meta({ id: 'CreateLimit' });
export type CreateLimit = z.infer<typeof createLimitSchema>;

/** More slots wake who waits; fewer stop nobody: what holds goes on to its end. */
export const patchLimitSchema = z
  .strictObject({
    description: descriptionSchema.optional(),
    slots: slotsSchema.nullable().optional(),
    rate: limitRateSchema.nullable().optional(),
  })
  .meta({ id: 'PatchLimit' });
export type PatchLimit = z.infer<typeof patchLimitSchema>;

export const projectLimitParamsSchema = z.object({ id: z.uuid(), limitId: z.uuid() });
export type ProjectLimitParams = z.infer<typeof projectLimitParamsSchema>;

const amounts = <Value extends z.ZodType>(value: Value) =>
  Object.fromEntries(quotaResources.map((resource) => [resource, value])) as Record<(typeof quotaResources)[number], Value>;

/** In thousandths of cores, MiB, GPUs and running attempts; null is no quota of it. */
export const putQuotaSchema = z.strictObject(amounts(z.number().int().min(0).max(2_000_000_000).nullable())).meta({ id: 'PutQuota' });
export type PutQuota = z.infer<typeof putQuotaSchema>;

/** What a project may hold in total, and what it holds; `waitingCount` are its task runs that may start. */
export const quotaViewSchema = z
  .object({
    projectId: z.uuid(),
    project: z.string(),
    quota: z.object(amounts(z.number().int().nullable())),
    used: z.object(amounts(z.number().int())),
    waitingCount: z.number().int(),
  })
  .meta({ id: 'Quota' });
export type QuotaView = z.infer<typeof quotaViewSchema>;
export const quotaListSchema = z.object({ items: z.array(quotaViewSchema) }).meta({ id: 'QuotaList' });
export type QuotaList = z.infer<typeof quotaListSchema>;

const keyedRunSchema = z.object({ runId: z.uuid(), state: runStateSchema, since: instantSchema });

/** A key under which runs are under way or wait, the first of each in order; `limit` is that of the newest version among them. */
export const runKeySchema = z
  .object({
    workflowId: z.uuid(),
    workflow: z.string(),
    projectId: z.uuid(),
    project: z.string(),
    key: z.string(),
    limit: z.number().int(),
    runningCount: z.number().int(),
    waitingCount: z.number().int(),
    running: z.array(keyedRunSchema),
    waiting: z.array(keyedRunSchema),
  })
  .meta({ id: 'RunKey' });
export type RunKey = z.infer<typeof runKeySchema>;
export const runKeysSchema = z.object({ items: z.array(runKeySchema) }).meta({ id: 'RunKeys' });
export type RunKeys = z.infer<typeof runKeysSchema>;

export const limitRoutes = {
  listRunKeys: {
    method: 'GET',
    path: '/run-keys',
    summary: 'Keys under which runs are under way or wait (keyed concurrency)',
    answer: runKeysSchema,
  },
  listLimits: {
    method: 'GET',
    path: '/limits',
    summary: 'Limits of the platform and of visible projects, with what is taken and waiting',
    query: limitQuerySchema,
    answer: limitPageSchema,
  },
  createPlatformLimit: {
    method: 'POST',
    path: '/limits',
    summary: 'Create a limit that tasks of every project may take',
    body: createLimitSchema,
    answer: limitDetailSchema,
    status: 201,
    repeatable: true,
  },
  getPlatformLimit: {
    method: 'GET',
    path: '/limits/:id',
    summary: 'A limit of the platform with holders and queue',
    answer: limitDetailSchema,
  },
  patchPlatformLimit: {
    method: 'PATCH',
    path: '/limits/:id',
    summary: 'Change a limit of the platform; it counts from the next placement on',
    body: patchLimitSchema,
    answer: limitDetailSchema,
  },
  removePlatformLimit: { method: 'DELETE', path: '/limits/:id', summary: 'Remove a limit of the platform that nothing uses', status: 204 },
  createLimit: {
    method: 'POST',
    path: '/projects/:id/limits',
    summary: 'Create a limit of a project',
    body: createLimitSchema,
    answer: limitDetailSchema,
    status: 201,
    repeatable: true,
  },
  getLimit: {
    method: 'GET',
    path: '/projects/:id/limits/:limitId',
    summary: 'A limit of a project with holders and queue',
    answer: limitDetailSchema,
  },
  patchLimit: {
    method: 'PATCH',
    path: '/projects/:id/limits/:limitId',
    summary: 'Change a limit of a project; it counts from the next placement on',
    body: patchLimitSchema,
    answer: limitDetailSchema,
  },
  removeLimit: {
    method: 'DELETE',
    path: '/projects/:id/limits/:limitId',
    summary: 'Remove a limit of a project that nothing uses',
    status: 204,
  },
  listQuotas: {
    method: 'GET',
    path: '/quotas',
    summary: 'Quotas of visible projects that have one, with what is used',
    answer: quotaListSchema,
  },
  getQuota: {
    method: 'GET',
    path: '/projects/:id/quota',
    summary: 'What a project may hold in total, and what it holds',
    answer: quotaViewSchema,
  },
  putQuota: {
    method: 'PUT',
    path: '/projects/:id/quota',
    summary: 'Set what a project may hold in total; it counts from the next placement on',
    body: putQuotaSchema,
    answer: quotaViewSchema,
  },
} as const satisfies Record<string, RestRoute>;

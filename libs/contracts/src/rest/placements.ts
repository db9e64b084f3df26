import { phrase, selectorNames } from '@medley/core';
import { z } from 'zod';
import { RANGE_MAX_DAYS } from './history.js';
import { instantSchema, pageOf, pageQuerySchema } from './paging.js';
import { attemptStateSchema } from './run-states.js';
import { told } from './told.js';

const DAY_MS = 86_400_000;

/** A range of time, at most 31 days long. */
export const distributionQuerySchema = z
  .object({ from: instantSchema, to: instantSchema })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), { path: ['to'], error: told(phrase('later-than-from')) })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= RANGE_MAX_DAYS * DAY_MS, {
    path: ['from'],
    error: told(phrase('range-too-long', { limit: RANGE_MAX_DAYS })),
  });
export type DistributionQuery = z.infer<typeof distributionQuerySchema>;

/**
 * too-few: nothing can be said yet. as-expected: within three standard deviations. differs: beyond them. unmodelled: the selector follows no probability
 * (`earliest-finish`), so that a difference says nothing.
 */
export const shareVerdictSchema = z.enum(['too-few', 'as-expected', 'differs', 'unmodelled']);
export type ShareVerdict = z.infer<typeof shareVerdictSchema>;

/**
 * Placements compared with what the selector's weights over the candidates of each decision let expect: `compared` decisions in which the chance of the node is
 * stored, `placed` of these on it, `expected` their sum of chances with its `deviation` (one standard deviation).
 */
const comparison = {
  compared: z.number().int(),
  placed: z.number().int(),
  expected: z.number(),
  deviation: z.number(),
  verdict: shareVerdictSchema,
};

/** `allPlaced` also counts decisions that could not be compared. `node` is null once the node is removed from the database. */
export const nodeShareSchema = z
  .object({ nodeId: z.uuid(), node: z.string().nullable(), allPlaced: z.number().int(), performance: z.number().nullable(), ...comparison })
  .meta({ id: 'NodeShare' });
export type NodeShare = z.infer<typeof nodeShareSchema>;

/**
 * Of decisions with more than ten candidates the nine likeliest are compared one by one, and all `others` together; null when there are none. `unmodelled`
 * decisions stored no chances for all candidates and are not compared. `since` is set when the range holds more than the newest decisions that are counted.
 */
export const poolDistributionSchema = z
  .object({
    poolId: z.uuid(),
    pool: z.string(),
    decisions: z.number().int(),
    unmodelled: z.number().int(),
    nodes: z.array(nodeShareSchema),
    others: z.object(comparison).nullable(),
    since: instantSchema.nullable(),
  })
  .meta({ id: 'PoolDistribution' });
export type PoolDistribution = z.infer<typeof poolDistributionSchema>;

export const placementListItemSchema = z
  .object({
    attemptId: z.uuid(),
    attemptState: attemptStateSchema,
    decidedAt: instantSchema,
    poolId: z.uuid(),
    pool: z.string(),
    nodeId: z.uuid(),
    node: z.string(),
    runId: z.uuid(),
    workflowId: z.uuid(),
    workflow: z.string(),
    project: z.string(),
    taskKey: z.string(),
    selector: z.enum(selectorNames),
    kind: z.enum(['place', 'move', 'prefetch']),
    seed: z.string(),
    ordinal: z.number().int(),
    candidates: z.number().int(),
    removed: z.array(z.object({ filter: z.string(), count: z.number().int() })),
    /** The best three as the selector saw them. */
    top: z.array(
      z.object({
        nodeId: z.uuid(),
        node: z.string(),
        weight: z.number(),
        probability: z.number().nullable(),
        score: z.number().nullable(),
      }),
    ),
  })
  .meta({ id: 'PlacementListItem' });
export type PlacementListItem = z.infer<typeof placementListItemSchema>;

/** A page may hold less than `limit` and still not be the last: each looks through a bounded number of decisions. */
export const placementPageSchema = pageOf(placementListItemSchema, 'PlacementPage');

export const placementQuerySchema = pageQuerySchema.extend({
  poolId: z.uuid().optional(),
  nodeId: z.uuid().optional(),
  workflowId: z.uuid().optional(),
});
export type PlacementQuery = z.infer<typeof placementQuerySchema>;

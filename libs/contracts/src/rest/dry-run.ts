import { z } from 'zod';
import { reasonSchema, startRunSchema } from './runs.js';
import { workflowDocumentSchema } from './workflows.js';

export const dryRunFileSchema = z
  .strictObject({ definition: workflowDocumentSchema, parameters: startRunSchema.shape.parameters })
  .meta({ id: 'DryRunFile' });
export type DryRunFile = z.infer<typeof dryRunFileSchema>;

const removedNodesSchema = z.object({ filter: z.string(), count: z.number().int(), reason: z.string(), examples: z.array(z.string()) });

/**
 * Where a task could run at this moment. `nodes` are the best candidates, the likeliest first, each with its chance or score by the pool's selector; `likely` is the first choice,
 * null where it would wait, for `wait`. `removed` tells how many nodes each filter takes out, and why.
 */
export const dryRunPlacementSchema = z
  .object({
    selector: z.string(),
    candidates: z.number().int(),
    nodes: z.array(
      z.object({
        nodeId: z.uuid(),
        node: z.string(),
        performance: z.number(),
        probability: z.number().nullable(),
        score: z.number().nullable(),
      }),
    ),
    likely: z.object({ nodeId: z.uuid(), node: z.string(), probability: z.number().nullable() }).nullable(),
    removed: z.array(removedNodesSchema),
    wait: reasonSchema.nullable(),
  })
  .meta({ id: 'DryRunPlacement' });
export type DryRunPlacement = z.infer<typeof dryRunPlacementSchema>;

/**
 * `at-once`: nothing stands before it. `after-needs`: when these hold. `skipped`: its condition does not hold whatever happens. `fails`: its condition has no value, so that it would
 * fail. `undecided`: that depends on what other tasks will give, as `reason` says. `finally`: when all others have ended.
 */
export const dryRunBeginSchema = z.enum(['at-once', 'after-needs', 'skipped', 'fails', 'undecided', 'finally']);
export type DryRunBegin = z.infer<typeof dryRunBeginSchema>;

/** `rank` is the longest remaining path in seconds, by which tasks that are ready together are placed; `placement` is null for what no node gets. */
export const dryRunTaskSchema = z
  .object({
    key: z.string(),
    kind: z.string(),
    level: z.number().int(),
    rank: z.number(),
    expectedSeconds: z.number().nullable(),
    begins: dryRunBeginSchema,
    reason: reasonSchema.nullable(),
    needs: z.array(z.object({ task: z.string(), on: z.string() })),
    needsMode: z.enum(['all', 'any']),
    pool: z.string(),
    /** The workflow that it runs, in the version that would be pinned now. */
    runs: z.object({ workflow: z.string(), version: z.number().int() }).nullable(),
    placement: dryRunPlacementSchema.nullable(),
  })
  .meta({ id: 'DryRunTask' });
export type DryRunTask = z.infer<typeof dryRunTaskSchema>;

/** What a run would do, with nothing written; tasks in the order in which they could begin. `version` is null for a posted definition. */
export const dryRunSchema = z
  .object({
    project: z.string(),
    workflow: z.string(),
    version: z.number().int().nullable(),
    parameters: z.record(z.string(), z.unknown()),
    tasks: z.array(dryRunTaskSchema),
  })
  .meta({ id: 'DryRun' });
export type DryRun = z.infer<typeof dryRunSchema>;

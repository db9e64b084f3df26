import { z } from 'zod';

export const searchKindSchema = z.enum(['workflow', 'run', 'schedule', 'node', 'pool']);
export type SearchKind = z.infer<typeof searchKindSchema>;

/** `text` is part of a name, or a run's id, its beginning or its last eight characters. */
export const searchQuerySchema = z.object({ text: z.string().trim().min(1).max(100), projectId: z.uuid().optional() });
export type SearchQuery = z.infer<typeof searchQuerySchema>;

/** `workflowId` leads from a run or a schedule to its workflow; `state` is that of a run or a node. */
export const searchHitSchema = z
  .object({
    kind: searchKindSchema,
    id: z.uuid(),
    name: z.string(),
    /** Where it belongs: the project of a workflow, the workflow of a run or a schedule, the pool of a node. */
    within: z.string(),
    workflowId: z.uuid().nullable(),
    state: z.string().nullable(),
    createdAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'SearchHit' });
export type SearchHit = z.infer<typeof searchHitSchema>;

/** At most eight of each kind, the best of a kind first. */
export const searchAnswerSchema = z.object({ items: z.array(searchHitSchema) }).meta({ id: 'SearchAnswer' });
export type SearchAnswer = z.infer<typeof searchAnswerSchema>;

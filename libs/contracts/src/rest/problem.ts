import { z } from 'zod';

/** One fault in a request: where, what, and what would be right. */
export const problemFieldSchema = z
  .object({
    path: z.string(),
    message: z.string(),
    expected: z.string().optional(),
    line: z.number().int().optional(),
    column: z.number().int().optional(),
  })
  .meta({ id: 'ProblemField' });
export type ProblemField = z.infer<typeof problemFieldSchema>;

/** RFC 9457. `code` is stable and listed in docs/errors.md; `fields` holds every fault found. */
export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    code: z.string(),
    detail: z.string(),
    fields: z.array(problemFieldSchema).optional(),
    requestId: z.string(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof problemSchema>;

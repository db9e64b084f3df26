import { z } from 'zod';

/** A text as a code and what stands in its blanks: texts, numbers, lists and further phrases. Codes are stable; clients say them in their reader's language. */
export const phraseSchema = z.object({ code: z.string(), values: z.record(z.string(), z.unknown()).optional() }).meta({ id: 'Phrase' });

/** One fault in a request: where, what, and what would be right. */
export const problemFieldSchema = z
  .object({
    path: z.string(),
    message: z.string(),
    /** What `message` says, as code and values; absent where the text is not ours. */
    code: z.string().optional(),
    values: z.record(z.string(), z.unknown()).optional(),
    expected: z.string().optional(),
    expectation: phraseSchema.optional(),
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
    /** What `detail` says, as code and values; absent where the text is not ours. */
    explanation: phraseSchema.optional(),
    fields: z.array(problemFieldSchema).optional(),
    requestId: z.string(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof problemSchema>;

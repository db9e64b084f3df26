import { z } from 'zod';
import { workingFilesSchema } from './files.js';
import { nodeCapacitySchema } from './node-facts.js';
import { attemptRefSchema } from './work.js';

export const carrierSchema = z.enum(['queue', 'pull']);
export type Carrier = z.infer<typeof carrierSchema>;

/** An HTTP call as a task makes it. */
export const httpCallSchema = z.object({
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable(),
  expectStatus: z.array(z.number().int()),
  /** Outputs by name: expressions over the answer (`status`, `headers`, `body`, `json`). */
  outputs: z.record(z.string(), z.string()).optional(),
});
export type HttpCall = z.infer<typeof httpCallSchema>;

/** What runs: delivered only by a granted claim. `env` values are rendered and may hold secrets; nothing of it may be written to disk but the script. */
export const attemptWorkSchema = z.object({
  runId: z.uuid(),
  project: z.string(),
  workflow: z.string(),
  taskKey: z.string(),
  /** Which try it is as the retry policy counts them: neither a lost nor a withdrawn attempt was one. The task sees it as `MEDLEY_ATTEMPT`. */
  attemptNumber: z.number().int().positive(),
  kind: z.enum(['shell', 'python', 'node', 'http', 'noop']),
  script: z.string().nullable(),
  http: httpCallSchema.nullable(),
  env: z.record(z.string(), z.string()),
  /** Values that must not be seen in anything the task prints or gives. Held in memory only. */
  secrets: z.array(z.string()).optional(),
  resources: nodeCapacitySchema,
  timeoutSeconds: z.number().positive().nullable(),
  graceSeconds: z.number().nonnegative(),
  onLeaseLost: z.enum(['finish', 'stop']),
  logCapBytes: z.number().int().positive(),
  /** Missing: the task neither keeps nor fetches files. */
  files: workingFilesSchema.optional(),
});
export type AttemptWork = z.infer<typeof attemptWorkSchema>;

/**
 * POST claims — several at once; asking again with the same claim id gets the same answer. A claim of a prefetched attempt (one whose dispatch said `awaits`)
 * takes its reservation, and says that it does.
 */
export const claimSchema = attemptRefSchema.extend({
  taskRunId: z.uuid(),
  claimId: z.uuid(),
  carrier: carrierSchema,
  prefetched: z.boolean().optional(),
});
export type Claim = z.infer<typeof claimSchema>;
export const claimsRequestSchema = z.object({ claims: z.array(claimSchema).min(1).max(500) });
export type ClaimsRequest = z.infer<typeof claimsRequestSchema>;

/** `noRoom`: not refused, a prefetched attempt may be claimed again when something on the node has ended. */
export const claimResultSchema = z.discriminatedUnion('granted', [
  z.object({ attemptId: z.uuid(), granted: z.literal(true), work: attemptWorkSchema }),
  z.object({ attemptId: z.uuid(), granted: z.literal(false), reason: z.string(), noRoom: z.boolean().optional() }),
]);
export type ClaimResult = z.infer<typeof claimResultSchema>;
export const claimsAnswerSchema = z.object({ results: z.array(claimResultSchema) });
export type ClaimsAnswer = z.infer<typeof claimsAnswerSchema>;

import { z } from 'zod';
import { nodeCapacitySchema } from './node-facts.js';

/** One attempt as its holder knows it. */
export const attemptRefSchema = z.object({ attemptId: z.uuid(), fence: z.number().int().positive() });
export type AttemptRef = z.infer<typeof attemptRefSchema>;

/** The message that tells a node to claim an attempt; the same in the queue and in the long poll. It holds no specification and no secret. */
export const dispatchSchema = z.object({
  taskRunId: z.uuid(),
  attemptId: z.uuid(),
  fence: z.number().int().positive(),
  sendNo: z.number().int().nonnegative(),
  /** Only of a prefetched attempt: nothing is reserved for it, and it may be claimed once the node has this much room. */
  awaits: nodeCapacitySchema.optional(),
});
export type Dispatch = z.infer<typeof dispatchSchema>;

/** Why an attempt has to be stopped: `superseded` means its result no longer counts. */
export const stopReasonSchema = z.enum(['cancelled', 'timed_out', 'superseded']);
export type StopReason = z.infer<typeof stopReasonSchema>;

export const stopOrderSchema = attemptRefSchema.extend({ reason: stopReasonSchema });
export type StopOrder = z.infer<typeof stopOrderSchema>;

/** GET work?waitSeconds= — answers at once when there is something to do, otherwise after the wait. */
export const workAnswerSchema = z.object({ dispatches: z.array(dispatchSchema), stops: z.array(stopOrderSchema) });
export type WorkAnswer = z.infer<typeof workAnswerSchema>;

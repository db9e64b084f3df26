import { z } from 'zod';
import { fileLookSchema } from './file-looks.js';
import { measuredPerformanceSchema, nodeCapacitySchema, nodeFactsSchema, nodeLoadSchema } from './node-facts.js';
import { attemptRefSchema, stopOrderSchema } from './work.js';

/** POST join — without credential; answers with the node's own. */
export const joinRequestSchema = z.object({
  token: z.string().min(1),
  name: z.string().regex(/^[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9])?$/, 'lower-case letters, digits, ".", "_" and "-", at most 64 characters'),
  facts: nodeFactsSchema,
});
export type JoinRequest = z.infer<typeof joinRequestSchema>;

export const joinAnswerSchema = z.object({ nodeId: z.uuid(), name: z.string(), pool: z.string(), credential: z.string() });
export type JoinAnswer = z.infer<typeof joinAnswerSchema>;

/** How an agent reaches its own queue: a Redis user that can touch that queue's keys only. */
export const queueAccessSchema = z.object({
  host: z.string(),
  port: z.number().int(),
  tls: z.boolean(),
  username: z.string(),
  password: z.string(),
  prefix: z.string(),
  queueName: z.string(),
});
export type QueueAccess = z.infer<typeof queueAccessSchema>;

/**
 * The `at` of the last session or heartbeat answer that the agent had before it built `live`. Whatever was claimed before that instant of the database's clock
 * is in the list or is run by nobody; what was claimed later is not judged. A request that was stuck on its way can therefore do no harm.
 */
const lastAnswerAtSchema = z.string().max(64).nullish();

/** POST session — at every start and whenever a heartbeat answers `renew`; `live` lists what was adopted. */
export const sessionRequestSchema = z.object({
  bootId: z.uuid(),
  facts: nodeFactsSchema,
  performance: measuredPerformanceSchema.nullable(),
  live: z.array(attemptRefSchema),
  lastAnswerAt: lastAnswerAtSchema,
});
export type SessionRequest = z.infer<typeof sessionRequestSchema>;

export const sessionAnswerSchema = z.object({
  nodeId: z.uuid(),
  protocol: z.number().int(),
  leaseSeconds: z.number(),
  heartbeatSeconds: z.number(),
  declaredSpeed: z.number().nullable(),
  /** What the server reserves from: the agent's own figures, or less where an operator has capped them. */
  capacity: nodeCapacitySchema.optional(),
  queue: queueAccessSchema.nullable(),
  at: z.string(),
  stops: z.array(stopOrderSchema),
});
export type SessionAnswer = z.infer<typeof sessionAnswerSchema>;

/** POST heartbeat — `live` holds every attempt from the sending of its claim until its `finished` report is acknowledged. */
export const heartbeatRequestSchema = z.object({
  bootId: z.uuid(),
  load: nodeLoadSchema,
  live: z.array(attemptRefSchema),
  performance: measuredPerformanceSchema.nullable(),
  /** False while the agent was given no queue: the server then answers `renew` as soon as it has one to give. */
  hasQueue: z.boolean().optional(),
  lastAnswerAt: lastAnswerAtSchema,
});
export type HeartbeatRequest = z.infer<typeof heartbeatRequestSchema>;

export const heartbeatAnswerSchema = z.object({
  session: z.enum(['ok', 'renew']),
  at: z.string(),
  leaseSeconds: z.number(),
  heartbeatSeconds: z.number(),
  stops: z.array(stopOrderSchema),
  /** From protocol 4 on: what is to be looked for on this node. */
  looks: z.array(fileLookSchema).optional(),
});
export type HeartbeatAnswer = z.infer<typeof heartbeatAnswerSchema>;

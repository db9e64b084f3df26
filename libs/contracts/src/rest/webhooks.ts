import { z } from 'zod';
import { instantSchema, pageOf, pageQuerySchema, sortSchema } from './paging.js';
import { phraseSchema } from './problem.js';
import type { RestRoute } from './route.js';

/** `address` and what follows are null until a first secret was made. After a rotation the one before is good until `previousUntil`. */
export const webhookSchema = z
  .object({
    scheduleId: z.uuid(),
    /** Path below the server's address. */
    address: z.string().nullable(),
    secretCreatedAt: instantSchema.nullable(),
    previousUntil: instantSchema.nullable(),
    perMinute: z.number().int(),
    toleranceSeconds: z.number().int(),
    /** Parameter by parameter the JSON Pointer that finds its value; null: the fields of the payload are parameters. */
    payload: z.record(z.string(), z.string()).nullable(),
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof webhookSchema>;

/** For so many hours the secret before is still good, so that senders can change over; 0 ends it at once. */
export const rotateWebhookSchema = z
  .strictObject({ graceHours: z.number().int().min(0).max(168).default(24) })
  .meta({ id: 'RotateWebhook' });
export type RotateWebhook = z.infer<typeof rotateWebhookSchema>;

/** `secret` is shown this once. */
export const webhookSecretSchema = webhookSchema.extend({ secret: z.string() }).meta({ id: 'WebhookSecret' });
export type WebhookSecret = z.infer<typeof webhookSecretSchema>;

/** `repeats` counts deliveries under the same id that came later and started nothing. */
export const webhookDeliverySchema = z
  .object({
    id: z.uuid(),
    deliveryId: z.string().nullable(),
    outcome: z.enum(['accepted', 'refused']),
    code: z.string().nullable(),
    /** In English; `explanation` says the same for any language, where it is ours. */
    detail: z.string().nullable(),
    explanation: phraseSchema.nullable(),
    runId: z.uuid().nullable(),
    repeats: z.number().int(),
    bytes: z.number().int(),
    sentAt: instantSchema.nullable(),
    receivedAt: instantSchema,
    from: z.string().nullable(),
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;
export const webhookDeliveryPageSchema = pageOf(webhookDeliverySchema, 'WebhookDeliveryPage');

export const webhookDeliveryQuerySchema = pageQuerySchema.extend({ sort: sortSchema(['received', 'outcome', 'bytes'], '-received') });
export type WebhookDeliveryQuery = z.infer<typeof webhookDeliveryQuerySchema>;

export const webhookPayloadSchema = z.record(z.string(), z.unknown()).meta({ id: 'WebhookPayload' });

/** `repeated`: this id was accepted before, and `runId` is the run that it started then. */
export const webhookAnswerSchema = z
  .object({ deliveryId: z.string(), runId: z.uuid(), repeated: z.boolean() })
  .meta({ id: 'WebhookAnswer' });
export type WebhookAnswer = z.infer<typeof webhookAnswerSchema>;

export const webhookRoutes = {
  getWebhook: { method: 'GET', path: '/schedules/:id/webhook', summary: 'Where a webhook schedule is called', answer: webhookSchema },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/schedules/:id/webhook/secret',
    summary: 'Make a new signing secret, shown once',
    body: rotateWebhookSchema,
    answer: webhookSecretSchema,
    status: 201,
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/schedules/:id/webhook/deliveries',
    summary: 'What arrived at a webhook, the newest first unless another order is asked for',
    query: webhookDeliveryQuerySchema,
    answer: webhookDeliveryPageSchema,
  },
  receiveWebhook: {
    method: 'POST',
    path: '/hooks/:address',
    summary: 'Start a run by a signed delivery (headers webhook-id, webhook-timestamp, webhook-signature)',
    body: webhookPayloadSchema,
    answer: webhookAnswerSchema,
    status: 202,
    open: true,
  },
} as const satisfies Record<string, RestRoute>;

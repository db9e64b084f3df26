import { z } from 'zod';
import { instantSchema } from './paging.js';
import type { RestRoute } from './route.js';

export const retentionKindSchema = z.enum([
  'logs-to-archive',
  'logs-to-remove',
  'runs',
  'audit-months',
  'placement-decisions',
  'node-samples',
  'run-bulks',
  'backfills',
  'webhook-deliveries',
  'idempotency-keys',
  'sessions',
]);
export type RetentionKind = z.infer<typeof retentionKindSchema>;

/** What is due now, of things older than `keepSeconds`: null when they are kept for ever. With `isMore`, `count` is where counting stopped. */
export const retentionItemSchema = z
  .object({
    kind: retentionKindSchema,
    keepSeconds: z.number().nullable(),
    count: z.number().int(),
    isMore: z.boolean(),
    oldestAt: instantSchema.nullable(),
  })
  .meta({ id: 'RetentionItem' });
export type RetentionItem = z.infer<typeof retentionItemSchema>;

export const retentionSchema = z.object({ items: z.array(retentionItemSchema) }).meta({ id: 'Retention' });
export type Retention = z.infer<typeof retentionSchema>;

/** `runDays` asks what would go if runs were kept for so long, whatever the server is set to. */
export const retentionQuerySchema = z.object({ runDays: z.coerce.number().int().min(1).max(36_500).optional() });
export type RetentionQuery = z.infer<typeof retentionQuerySchema>;

export const retentionRoutes = {
  getRetention: {
    method: 'GET',
    path: '/retention',
    summary: 'What the next passes would archive and remove; nothing is changed',
    query: retentionQuerySchema,
    answer: retentionSchema,
  },
} as const satisfies Record<string, RestRoute>;

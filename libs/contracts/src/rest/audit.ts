import { z } from 'zod';
import { instantSchema, pageOf, pageQuerySchema, sortSchema } from './paging.js';
import type { RestRoute } from './route.js';

/** How a call ended: `unknown` while it goes on, and for good when the server went down meanwhile. */
export const auditOutcomeSchema = z.enum(['succeeded', 'refused', 'failed', 'unknown']);
export type AuditOutcome = z.infer<typeof auditOutcomeSchema>;

/** Who acted: a user by session or token, an agent that joins, or someone who is not signed in. */
export const auditActorKindSchema = z.enum(['user', 'agent', 'anonymous']);
export type AuditActorKind = z.infer<typeof auditActorKindSchema>;

export const auditEntitySchema = z.enum([
  'user',
  'group',
  'project',
  'member',
  'api-token',
  'join-token',
  'session',
  'workflow',
  'schedule',
  'run',
  'pool',
  'node',
  'limit',
  'quota',
  'variable',
  'calendar',
  'secret',
  'other',
]);
export type AuditEntity = z.infer<typeof auditEntitySchema>;

/** The call by which an agent joins; every other action is the name of an operation of the REST API. */
export const JOIN_ACTION = 'joinNode';

/** `name` is null where nobody is known by the name that was given. `credential` is the name of the API token, for calls by one. */
export const auditActorSchema = z
  .object({
    kind: auditActorKindSchema,
    userId: z.uuid().nullable(),
    name: z.string().nullable(),
    via: z.enum(['session', 'token']).nullable(),
    credentialId: z.uuid().nullable(),
    credential: z.string().nullable(),
  })
  .meta({ id: 'AuditActor' });
export type AuditActor = z.infer<typeof auditActorSchema>;

/** `unrecorded` counts the refusals like this one just before, which were too many to be recorded each. */
export const auditEventSchema = z
  .object({
    id: z.uuid(),
    at: instantSchema,
    action: z.string(),
    actor: auditActorSchema,
    projectId: z.uuid().nullable(),
    project: z.string().nullable(),
    entityType: auditEntitySchema,
    entityId: z.uuid().nullable(),
    entityName: z.string().nullable(),
    outcome: auditOutcomeSchema,
    /** Of the refusal or the failure. */
    code: z.string().nullable(),
    requestId: z.string(),
    address: z.string().nullable(),
    finishedAt: instantSchema.nullable(),
    unrecorded: z.number().int(),
    /** Names of the fields that differ. */
    fields: z.array(z.string()),
  })
  .meta({ id: 'AuditEvent' });
export type AuditEvent = z.infer<typeof auditEventSchema>;
export const auditEventPageSchema = pageOf(auditEventSchema, 'AuditEventPage');

const auditStateSchema = z.record(z.string(), z.unknown()).nullable();
/** `before` and `after` hold what differs; secrets are masked, and what is too large is replaced by a word about its size. */
export const auditEventDetailSchema = auditEventSchema
  .extend({ before: auditStateSchema, after: auditStateSchema })
  .meta({ id: 'AuditEventDetail' });
export type AuditEventDetail = z.infer<typeof auditEventDetailSchema>;

const auditFilter = {
  /** Part of the name of who acted. */
  actor: z.string().max(100).optional(),
  userId: z.uuid().optional(),
  projectId: z.uuid().optional(),
  entityType: auditEntitySchema.optional(),
  entityId: z.uuid().optional(),
  action: z.string().max(100).optional(),
  outcome: auditOutcomeSchema.optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
};
export const auditQuerySchema = pageQuerySchema.extend({ ...auditFilter, sort: sortSchema(['at'], '-at') });
export type AuditQuery = z.infer<typeof auditQuerySchema>;
export const auditExportQuerySchema = z.object({ ...auditFilter, format: z.enum(['csv', 'jsonl']).default('csv') });
export type AuditExportQuery = z.infer<typeof auditExportQuerySchema>;
export type AuditFilter = Omit<AuditExportQuery, 'format'>;

export const auditRoutes = {
  listAuditEvents: {
    method: 'GET',
    path: '/audit',
    summary:
      'Who changed what, the newest first unless another order is asked for: everything for platform administrators, otherwise that of the projects one administers',
    query: auditQuerySchema,
    answer: auditEventPageSchema,
  },
  exportAuditEvents: {
    method: 'GET',
    path: '/audit/export',
    summary: 'The same, all of it, as CSV or as JSON lines',
    query: auditExportQuerySchema,
    answerType: 'text/csv; charset=utf-8',
  },
  getAuditEvent: {
    method: 'GET',
    path: '/audit/:id',
    summary: 'One change, with what was before and after',
    answer: auditEventDetailSchema,
  },
} as const satisfies Record<string, RestRoute>;

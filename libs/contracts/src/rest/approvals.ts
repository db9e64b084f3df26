import { z } from 'zod';
import { instantSchema, pageOf, pageQuerySchema, queryFlagSchema, sortSchema } from './paging.js';

/** `mine`: only those on which the caller may decide. `search` is part of the name of a task, a workflow or a project. By `deadline`, those without one come last. */
export const approvalQuerySchema = pageQuerySchema.extend({
  projectId: z.uuid().optional(),
  runId: z.uuid().optional(),
  mine: queryFlagSchema.optional(),
  search: z.string().max(100).optional(),
  sort: sortSchema(['since', 'deadline', 'task', 'workflow', 'startedBy'], 'since'),
});
export type ApprovalQuery = z.infer<typeof approvalQuerySchema>;

/** A task that waits for a decision; `by` names who may take it. */
export const approvalSchema = z
  .object({
    taskRunId: z.uuid(),
    task: z.string(),
    runId: z.uuid(),
    workflowId: z.uuid(),
    workflow: z.string(),
    projectId: z.uuid(),
    project: z.string(),
    startedBy: z.string().nullable(),
    by: z.array(z.string()),
    waitingSince: instantSchema,
    deadlineAt: instantSchema.nullable(),
    mayDecide: z.boolean(),
  })
  .meta({ id: 'Approval' });
export type Approval = z.infer<typeof approvalSchema>;

export const approvalPageSchema = pageOf(approvalSchema, 'ApprovalPage');

export const decideApprovalSchema = z
  .strictObject({ decision: z.enum(['approve', 'reject']), comment: z.string().trim().max(1000).default('') })
  .meta({ id: 'DecideApproval' });
export type DecideApproval = z.infer<typeof decideApprovalSchema>;

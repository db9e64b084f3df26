import { z } from 'zod';
import { instantSchema, queryFlagSchema } from './paging.js';

export const APPROVALS_MAX = 500;

/** `mine`: only those on which the caller may decide. */
export const approvalQuerySchema = z.object({ projectId: z.uuid().optional(), mine: queryFlagSchema.optional() });
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

/** The longest waiting first; `isMore` when there are more than an answer may hold. */
export const approvalListSchema = z.object({ items: z.array(approvalSchema), isMore: z.boolean() }).meta({ id: 'ApprovalList' });
export type ApprovalList = z.infer<typeof approvalListSchema>;

export const decideApprovalSchema = z
  .strictObject({ decision: z.enum(['approve', 'reject']), comment: z.string().trim().max(1000).default('') })
  .meta({ id: 'DecideApproval' });
export type DecideApproval = z.infer<typeof decideApprovalSchema>;

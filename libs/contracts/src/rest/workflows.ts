import { z } from 'zod';
import { instantSchema, pageOf, pageQuerySchema, queryFlagSchema, VERSION_MAX } from './paging.js';
import { problemFieldSchema } from './problem.js';
import { runStateSchema } from './run-states.js';

export const workflowRunGlanceSchema = z
  .object({ id: z.uuid(), state: runStateSchema, createdAt: instantSchema, finishedAt: instantSchema.nullable() })
  .meta({ id: 'WorkflowRunGlance' });
export type WorkflowRunGlance = z.infer<typeof workflowRunGlanceSchema>;

/** `lastRuns` holds at most five, the newest first. */
export const workflowListItemSchema = z
  .object({
    id: z.uuid(),
    projectId: z.uuid(),
    project: z.string(),
    name: z.string(),
    description: z.string(),
    latestVersion: z.number().int(),
    taskCount: z.number().int(),
    scheduleCount: z.number().int(),
    enabledScheduleCount: z.number().int(),
    createdAt: instantSchema,
    updatedAt: instantSchema,
    lastRuns: z.array(workflowRunGlanceSchema),
  })
  .meta({ id: 'WorkflowListItem' });
export type WorkflowListItem = z.infer<typeof workflowListItemSchema>;
export const workflowPageSchema = pageOf(workflowListItemSchema, 'WorkflowPage');

export const workflowSorts = ['name', '-name', 'updated', '-updated', 'tasks', '-tasks'] as const;
export type WorkflowSort = (typeof workflowSorts)[number];

/** `search` looks into names and descriptions; a `-` before the sort turns it round. */
export const workflowQuerySchema = pageQuerySchema.extend({
  projectId: z.uuid().optional(),
  search: z.string().max(100).optional(),
  sort: z.enum(workflowSorts).default('name'),
});
export type WorkflowQuery = z.infer<typeof workflowQuerySchema>;

export const workflowVersionItemSchema = z
  .object({ version: z.number().int(), checksum: z.string(), createdBy: z.string().nullable(), createdAt: instantSchema })
  .meta({ id: 'WorkflowVersionItem' });
export type WorkflowVersionItem = z.infer<typeof workflowVersionItemSchema>;
export const workflowVersionPageSchema = pageOf(workflowVersionItemSchema, 'WorkflowVersionPage');

/** `definition` has the form of a workflow file; `yaml` is the text it was applied from, or a rendering of it. */
export const workflowVersionViewSchema = workflowVersionItemSchema
  .extend({
    workflowId: z.uuid(),
    name: z.string(),
    project: z.string(),
    definition: z.record(z.string(), z.unknown()),
    yaml: z.string(),
  })
  .meta({ id: 'WorkflowVersion' });
export type WorkflowVersionView = z.infer<typeof workflowVersionViewSchema>;

/** The workflow with its latest version; the answer's ETag is that version's checksum. */
export const workflowViewSchema = workflowListItemSchema.extend({ version: workflowVersionViewSchema }).meta({ id: 'Workflow' });
export type WorkflowView = z.infer<typeof workflowViewSchema>;

/** A workflow file: YAML text, or the same structure as JSON. */
export const workflowDocumentSchema = z.union([z.string(), z.record(z.string(), z.unknown())]).meta({ id: 'WorkflowDocument' });
export type WorkflowDocument = z.infer<typeof workflowDocumentSchema>;

/** `summary` is present when there is no error. */
export const workflowValidationSchema = z
  .object({
    valid: z.boolean(),
    errors: z.array(problemFieldSchema),
    summary: z
      .object({ project: z.string(), workflow: z.string(), taskCount: z.number().int(), schedules: z.array(z.string()) })
      .nullable(),
    dag: z.lazy(() => workflowDagSchema).nullable(),
  })
  .meta({ id: 'WorkflowValidation' });
export type WorkflowValidation = z.infer<typeof workflowValidationSchema>;

export const applyQuerySchema = z.object({ dryRun: queryFlagSchema.default(false), prune: queryFlagSchema.default(false) });
export type ApplyQuery = z.infer<typeof applyQuerySchema>;

export const applyChangeSchema = z
  .object({
    kind: z.enum(['project', 'workflow', 'task', 'schedule']),
    name: z.string(),
    action: z.enum(['create', 'update', 'remove', 'unchanged', 'left']),
    /** Dotted paths that differ, e.g. `run`, `resources.cpu`. */
    paths: z.array(z.string()),
    /** Why nothing was done, where that needs a word. */
    note: z.string().nullable(),
  })
  .meta({ id: 'ApplyChange' });
export type ApplyChange = z.infer<typeof applyChangeSchema>;

/** `workflowId` is null only for the dry run of a new workflow. `changed` is false when nothing would be or was written. */
export const applyAnswerSchema = z
  .object({
    workflowId: z.uuid().nullable(),
    project: z.string(),
    workflow: z.string(),
    version: z.number().int(),
    changed: z.boolean(),
    dryRun: z.boolean(),
    changes: z.array(applyChangeSchema),
  })
  .meta({ id: 'ApplyAnswer' });
export type ApplyAnswer = z.infer<typeof applyAnswerSchema>;

export const dagTaskSchema = z
  .object({
    key: z.string(),
    position: z.number().int(),
    kind: z.string(),
    /** Length of the longest path from a root; roots are 0. */
    level: z.number().int(),
    needs: z.array(z.object({ task: z.string(), on: z.enum(['succeeded', 'failed', 'done', 'skipped']) })),
    needsMode: z.enum(['all', 'any']),
    pool: z.string(),
    /** A task of `finally`. */
    isFinal: z.boolean(),
    /** The workflow that it runs; version null is the latest. */
    runs: z.object({ workflow: z.string(), version: z.number().int().nullable() }).nullable(),
  })
  .meta({ id: 'DagTask' });
export type DagTask = z.infer<typeof dagTaskSchema>;

export const workflowDagSchema = z.object({ levelCount: z.number().int(), tasks: z.array(dagTaskSchema) }).meta({ id: 'WorkflowDag' });
export type WorkflowDag = z.infer<typeof workflowDagSchema>;

export const dagQuerySchema = z.object({ version: z.coerce.number().int().min(1).max(VERSION_MAX).optional() });
export type DagQuery = z.infer<typeof dagQuerySchema>;
export const workflowVersionParamsSchema = z.object({ id: z.uuid(), version: z.coerce.number().int().min(1).max(VERSION_MAX) });

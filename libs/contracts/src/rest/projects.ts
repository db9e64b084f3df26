import { phrase } from '@medley/core';
import { z } from 'zod';
import { projectRoleSchema } from './access/sign-in.js';
import { instantSchema, pageOf, pageQuerySchema, queryFlagSchema, sortSchema } from './paging.js';
import { told } from './told.js';

export const projectNameSchema = z.string().regex(/^[a-z][a-z0-9-]{0,62}$/, told(phrase('project-name-form')));

/** `role` is the caller's; workflow files that name one of `formerNames` go on to mean this project. */
export const projectViewSchema = z
  .object({ id: z.uuid(), name: z.string(), formerNames: z.array(z.string()), role: projectRoleSchema, createdAt: instantSchema })
  .meta({ id: 'Project' });
export type ProjectView = z.infer<typeof projectViewSchema>;
export const projectPageSchema = pageOf(projectViewSchema, 'ProjectPage');

/** `search` is part of the name, or of a former one. */
export const projectQuerySchema = pageQuerySchema.extend({
  search: z.string().max(100).optional(),
  sort: sortSchema(['name', 'created'], 'name'),
});
export type ProjectQuery = z.infer<typeof projectQuerySchema>;

export const createProjectSchema = z.object({ name: projectNameSchema }).meta({ id: 'CreateProject' });
export type CreateProject = z.infer<typeof createProjectSchema>;

export const patchProjectSchema = z.strictObject({ name: projectNameSchema }).meta({ id: 'PatchProject' });
export type PatchProject = z.infer<typeof patchProjectSchema>;

/** What a project holds, and so what its removal hits. */
export const projectImpactSchema = z
  .object({
    workflows: z.number().int(),
    schedules: z.number().int(),
    runs: z.number().int(),
    activeRuns: z.number().int(),
    members: z.number().int(),
    apiTokens: z.number().int(),
  })
  .meta({ id: 'ProjectImpact' });
export type ProjectImpact = z.infer<typeof projectImpactSchema>;

/** Without `withRuns` a project that has had runs is not removed; one with active runs never is. */
export const removeProjectQuerySchema = z.object({ withRuns: queryFlagSchema.default(false) });
export type RemoveProjectQuery = z.infer<typeof removeProjectQuerySchema>;

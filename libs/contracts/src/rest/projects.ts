import { z } from 'zod';
import { instantSchema, pageOf } from './paging.js';

export const projectNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,62}$/, 'lower-case letters, digits and "-", beginning with a letter, at most 63 characters');

export const projectViewSchema = z.object({ id: z.uuid(), name: z.string(), createdAt: instantSchema }).meta({ id: 'Project' });
export type ProjectView = z.infer<typeof projectViewSchema>;
export const projectPageSchema = pageOf(projectViewSchema, 'ProjectPage');

export const createProjectSchema = z.object({ name: projectNameSchema }).meta({ id: 'CreateProject' });
export type CreateProject = z.infer<typeof createProjectSchema>;

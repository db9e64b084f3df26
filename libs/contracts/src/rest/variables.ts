import { phrase } from '@medley/core';
import { z } from 'zod';
import { instantSchema, pageOf, pageQuerySchema, sortSchema } from './paging.js';
import type { RestRoute } from './route.js';
import { told } from './told.js';

export const variableNameSchema = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,99}$/, told(phrase('variable-name-form')));
export const variableParamsSchema = z.object({ id: z.uuid(), name: variableNameSchema });
export type VariableParams = z.infer<typeof variableParamsSchema>;

export const maxVariableLength = 16_384;
export const maxVariables = 1000;

/** A text that the workflows of a project share, as `${{ variables.NAME }}`. */
export const variableViewSchema = z
  .object({ projectId: z.uuid(), name: z.string(), value: z.string(), description: z.string(), updatedAt: instantSchema })
  .meta({ id: 'Variable' });
export type VariableView = z.infer<typeof variableViewSchema>;
export const variablePageSchema = pageOf(variableViewSchema, 'VariablePage');

/** `search` is part of a name or of a description. */
export const variableQuerySchema = pageQuerySchema.extend({
  search: z.string().max(100).optional(),
  sort: sortSchema(['name', 'updated'], 'name'),
});
export type VariableQuery = z.infer<typeof variableQuerySchema>;

export const putVariableSchema = z
  .strictObject({ value: z.string().max(maxVariableLength), description: z.string().max(1000).default('') })
  .meta({ id: 'PutVariable' });
export type PutVariable = z.infer<typeof putVariableSchema>;

/** The workflows whose present version names a variable: what its removal would break. */
export const variableUsesSchema = z
  .object({ name: z.string(), workflows: z.array(z.object({ id: z.uuid(), name: z.string() })), isMore: z.boolean() })
  .meta({ id: 'VariableUses' });
export type VariableUses = z.infer<typeof variableUsesSchema>;

export const variableRoutes = {
  listVariables: {
    method: 'GET',
    path: '/projects/:id/variables',
    summary: 'Variables of a project, by name unless another order is asked for',
    query: variableQuerySchema,
    answer: variablePageSchema,
  },
  putVariable: {
    method: 'PUT',
    path: '/projects/:id/variables/:name',
    summary: 'Set a variable of a project; tasks that start from now on get the new value',
    body: putVariableSchema,
    answer: variableViewSchema,
  },
  getVariableUses: {
    method: 'GET',
    path: '/projects/:id/variables/:name/uses',
    summary: 'Workflows whose present version names a variable',
    answer: variableUsesSchema,
  },
  removeVariable: { method: 'DELETE', path: '/projects/:id/variables/:name', summary: 'Remove a variable of a project', status: 204 },
} as const satisfies Record<string, RestRoute>;

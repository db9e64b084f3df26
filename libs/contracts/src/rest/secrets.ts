import { z } from 'zod';
import { instantSchema, pageOf, pageQuerySchema, sortSchema } from './paging.js';
import type { RestRoute } from './route.js';
import { variableNameSchema, variableUsesSchema } from './variables.js';

export const secretParamsSchema = z.object({ id: z.uuid(), name: variableNameSchema });
export type SecretParams = z.infer<typeof secretParamsSchema>;

/** A shorter one would be masked wherever its letters happen to stand, and a log would become unreadable. */
export const minSecretLength = 6;
export const maxSecretLength = 16_384;
export const maxSecrets = 1000;

/** A value that only tasks of the project get, as `${{ secrets.NAME }}`. It is written and never read: no answer holds it. */
export const secretViewSchema = z
  .object({ projectId: z.uuid(), name: z.string(), description: z.string(), updatedAt: instantSchema })
  .meta({ id: 'Secret' });
export type SecretView = z.infer<typeof secretViewSchema>;
export const secretPageSchema = pageOf(secretViewSchema, 'SecretPage');

/** `search` is part of a name or of a description. */
export const secretQuerySchema = pageQuerySchema.extend({
  search: z.string().max(100).optional(),
  sort: sortSchema(['name', 'updated'], 'name'),
});
export type SecretQuery = z.infer<typeof secretQuerySchema>;

export const putSecretSchema = z
  .strictObject({ value: z.string().min(minSecretLength).max(maxSecretLength), description: z.string().max(1000).default('') })
  .meta({ id: 'PutSecret' });
export type PutSecret = z.infer<typeof putSecretSchema>;

/** How many secrets were sealed anew; `unopened` are those that none of the server's keys opens. */
export const resealAnswerSchema = z
  .object({ resealed: z.number().int().nonnegative(), unopened: z.number().int().nonnegative() })
  .meta({ id: 'ResealAnswer' });
export type ResealAnswer = z.infer<typeof resealAnswerSchema>;

export const secretRoutes = {
  listSecrets: {
    method: 'GET',
    path: '/projects/:id/secrets',
    summary: 'Names of the secrets of a project, by name or as sorted',
    query: secretQuerySchema,
    answer: secretPageSchema,
  },
  putSecret: {
    method: 'PUT',
    path: '/projects/:id/secrets/:name',
    summary: 'Set a secret of a project; tasks that start from now on get the new value',
    body: putSecretSchema,
    answer: secretViewSchema,
  },
  getSecretUses: {
    method: 'GET',
    path: '/projects/:id/secrets/:name/uses',
    summary: 'Workflows whose present version names a secret',
    answer: variableUsesSchema,
  },
  removeSecret: { method: 'DELETE', path: '/projects/:id/secrets/:name', summary: 'Remove a secret of a project', status: 204 },
  resealSecrets: {
    method: 'POST',
    path: '/secrets/reseal',
    summary: 'Seal every secret and webhook key that another key sealed with the first of the configured keys',
    answer: resealAnswerSchema,
  },
} as const satisfies Record<string, RestRoute>;

import { phrase } from '@medley/core';
import { z } from 'zod';
import { instantSchema } from './paging.js';
import { told } from './told.js';

/** Pages of the console that have views to save. */
export const savedViewPageSchema = z.string().regex(/^[a-z][a-z-]{0,39}$/, told(phrase('page-name-form')));

/** `query` is what stands behind the `?` of the page's address. */
export const savedViewSchema = z
  .object({
    id: z.uuid(),
    page: savedViewPageSchema,
    name: z.string(),
    query: z.record(z.string(), z.string()),
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({ id: 'SavedView' });
export type SavedView = z.infer<typeof savedViewSchema>;

export const SAVED_VIEWS_MAX = 100;
export const savedViewListSchema = z.object({ items: z.array(savedViewSchema) }).meta({ id: 'SavedViewList' });
export type SavedViewList = z.infer<typeof savedViewListSchema>;

export const savedViewQuerySchema = z.object({ page: savedViewPageSchema });
export type SavedViewQuery = z.infer<typeof savedViewQuerySchema>;

export const putSavedViewSchema = z
  .strictObject({
    page: savedViewPageSchema,
    name: z.string().trim().min(1).max(80),
    query: z
      .record(z.string().max(40), z.string().max(2000))
      .refine((query) => Object.keys(query).length <= 40, told(phrase('view-words-most', { limit: 40 }))),
  })
  .meta({ id: 'PutSavedView' });
export type PutSavedView = z.infer<typeof putSavedViewSchema>;

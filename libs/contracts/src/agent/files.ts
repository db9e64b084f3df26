import { isPathBelow } from '@medley/core';
import { z } from 'zod';
import { attemptRefSchema } from './work.js';

/** Where a working file stands: relative to the working directory, with `/` on every platform. */
export const filePathSchema = z.string().refine(isPathBelow);
const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** What one attempt may keep. */
export const keepLimitsSchema = z.object({
  files: z.number().int().positive(),
  fileBytes: z.number().int().positive(),
  taskBytes: z.number().int().positive(),
});
export type KeepLimits = z.infer<typeof keepLimitsSchema>;

export const keepOrderSchema = z.object({ patterns: z.array(z.string()), limits: keepLimitsSchema });
export type KeepOrder = z.infer<typeof keepOrderSchema>;

/** One file to be placed at `path` of the working directory before the process starts. */
export const fetchOrderSchema = z.object({
  id: z.uuid(),
  path: filePathSchema,
  bytes: z.number().int().nonnegative(),
  sha256: sha256Schema,
});
export type FetchOrder = z.infer<typeof fetchOrderSchema>;

/** `keep` missing: nothing is kept. */
export const workingFilesSchema = z.object({ keep: keepOrderSchema.optional(), fetch: z.array(fetchOrderSchema) });
export type WorkingFiles = z.infer<typeof workingFilesSchema>;

/** What every attempt may keep: 200 files, 1 GiB each and 4 GiB together. */
export const keepLimits: KeepLimits = { files: 200, fileBytes: 1024 ** 3, taskBytes: 4 * 1024 ** 3 };

/** One attempt may fetch so many files. */
export const maxFetchedFiles = 2000;

/**
 * POST files — the body is the file (application/octet-stream), whose size and hash are told before. Repeating it replaces what was kept at this path. Answers once the
 * file is durable; refused with `task-run-ended` when the attempt does not count any more.
 */
export const keepFileQuerySchema = z.object({
  attemptId: attemptRefSchema.shape.attemptId,
  fence: z.coerce.number().int().positive(),
  path: filePathSchema,
  bytes: z.coerce.number().int().nonnegative(),
  sha256: sha256Schema,
});
export type KeepFileQuery = z.infer<typeof keepFileQuerySchema>;
export const keepFileAnswerSchema = z.object({ id: z.uuid() });
export type KeepFileAnswer = z.infer<typeof keepFileAnswerSchema>;

/** GET files/:id — the bytes of a file that the claim named. */
export const fetchFileQuerySchema = z.object({ attemptId: attemptRefSchema.shape.attemptId, fence: z.coerce.number().int().positive() });
export type FetchFileQuery = z.infer<typeof fetchFileQuerySchema>;

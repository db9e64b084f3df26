import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keepOrderSchema, nodeCapacitySchema } from '@medley/contracts';
import { z } from 'zod';

/**
 * What the next agent must know of an attempt it finds: never its environment, nothing secret. Times are monotonic milliseconds of one
 * machine boot.
 */
export const attemptRecordSchema = z.object({
  attemptId: z.uuid(),
  taskRunId: z.uuid(),
  runId: z.uuid(),
  fence: z.number().int().positive(),
  grantedAtMs: z.number(),
  timeoutSeconds: z.number().nullable(),
  graceSeconds: z.number(),
  onLeaseLost: z.enum(['finish', 'stop']),
  logCapBytes: z.number(),
  memoryMib: z.number(),
  /** What is reserved for it; missing in records of earlier agents. */
  resources: nodeCapacitySchema.optional(),
  machineBootId: z.string(),
  cgroups: z.array(z.string()),
  /** Missing: nothing is kept of its working directory. */
  keep: keepOrderSchema.optional(),
});
export type AttemptRecord = z.infer<typeof attemptRecordSchema>;

const RECORD_FILE = 'meta.json';

export async function writeAttemptRecord(directory: string, record: AttemptRecord): Promise<void> {
  await writeFile(join(directory, RECORD_FILE), JSON.stringify(record), { mode: 0o600 });
}

/** The record of an attempt directory, or null when its preparation was cut off: nothing has been started there. */
export async function readAttemptRecord(directory: string): Promise<AttemptRecord | null> {
  try {
    return attemptRecordSchema.parse(JSON.parse(await readFile(join(directory, RECORD_FILE), 'utf8')));
  } catch {
    return null;
  }
}

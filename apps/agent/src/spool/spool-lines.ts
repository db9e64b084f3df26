import { appendFile, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { reportBodySchema, stopReasonSchema } from '@medley/contracts';
import { z } from 'zod';

/** Why an attempt was stopped; `lease_lost` is the agent's own reason. */
export const stopIntentSchema = z.union([stopReasonSchema, z.literal('lease_lost')]);
export type StopIntent = z.infer<typeof stopIntentSchema>;

const finishedBodySchema = reportBodySchema.options[2];
export type FinishedBody = z.infer<typeof finishedBodySchema>;

/** One numbered report as the spool keeps it: log bytes stay in the output files, only their place is noted. */
const entrySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started'), sequence: z.number() }),
  z.object({ type: z.literal('log'), sequence: z.number(), stream: z.enum(['stdout', 'stderr']), from: z.number(), to: z.number() }),
  z.object({ type: z.literal('marker'), sequence: z.number(), from: z.number(), text: z.string() }),
  z.object({ type: z.literal('finished'), sequence: z.number(), body: finishedBodySchema }),
]);
export type SpoolEntry = z.infer<typeof entrySchema>;

const lineSchema = z.union([
  entrySchema,
  z.object({ type: z.literal('stop'), intent: stopIntentSchema }),
  z.object({ type: z.literal('dropped') }),
]);
export type SpoolLine = z.infer<typeof lineSchema>;

/**
 * The append-only file of one attempt. Lines survive the agent; surviving the machine is not needed, since its processes do not either. A
 * write that fails half-way is cut off again, so that the lines before it stay readable.
 */
export class SpoolFile {
  private readonly path: string;
  private size = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(directory: string) {
    this.path = join(directory, 'reports');
  }

  /** Adds lines in one write, after those before it; throws when the disk does not take them. */
  append(lines: readonly SpoolLine[]): Promise<void> {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const written = this.last.then(() => this.write(text));
    this.last = written.catch(() => undefined);
    return written;
  }

  private async write(text: string): Promise<void> {
    try {
      await appendFile(this.path, text, { mode: 0o600 });
    } catch (error) {
      await truncate(this.path, this.size).catch(() => undefined);
      throw error;
    }
    this.size += Buffer.byteLength(text);
  }

  /** Reads what an earlier agent left. A last line cut off by a crash was never sent: it is removed. */
  async restore(): Promise<SpoolLine[]> {
    const bytes = await readFile(this.path).catch(() => Buffer.alloc(0));
    this.size = bytes.lastIndexOf(10) + 1;
    if (this.size < bytes.length) {
      await truncate(this.path, this.size);
    }
    const lines = bytes.subarray(0, this.size).toString('utf8').split('\n').filter(Boolean);
    return lines.map((line) => lineSchema.parse(JSON.parse(line)));
  }
}

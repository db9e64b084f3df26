import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';

const credentialSchema = z.object({ nodeId: z.uuid(), name: z.string(), credential: z.string().min(1) });
export type StoredCredential = z.infer<typeof credentialSchema>;

/** The credential of an earlier join, or null when this agent has not joined. A damaged file is an error, not a new join. */
export async function readCredential(path: string): Promise<StoredCredential | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return null;
    }
    throw error;
  }
  return credentialSchema.parse(JSON.parse(text));
}

/** Stores the credential, mode 0600, so that it is either the old one or the new one even after a crash. */
export async function writeCredential(path: string, credential: StoredCredential): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(credential), { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}

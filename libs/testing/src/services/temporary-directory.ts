import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryDirectory {
  readonly path: string;
  remove(): void;
}

/** A fresh directory under the system's temporary one. Its path is unique on this machine, which makes it a marker for process scans. */
export function temporaryDirectory(purpose: string): TemporaryDirectory {
  const path = mkdtempSync(join(tmpdir(), `medley-${purpose}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

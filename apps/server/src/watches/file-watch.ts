import type { Watch } from './claim-watches.js';
import type { HttpQuestion } from './look-at.js';

/** On the node of this name, or on those of a pool that have these labels. */
export type FileQuestion = { path: string } & ({ node: string } | { pool: string; labels: string });

export type HttpWatch = Watch & { question: HttpQuestion };
export type FileWatch = Watch & { question: FileQuestion };

export function isFileWatch(watch: Watch): watch is FileWatch {
  return 'path' in watch.question;
}

export function isHttpWatch(watch: Watch): watch is HttpWatch {
  return 'url' in watch.question;
}

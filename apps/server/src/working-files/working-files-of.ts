import { type FetchOrder, keepLimits, maxFetchedFiles, type TaskSpec, type WorkingFiles } from '@medley/contracts';
import { AppError, isPathBelow, matchesFilePattern, phrase } from '@medley/core';
import type { KeptFile, KeptTask } from './kept-files.js';

/**
 * What the agent is to fetch before a task and to keep after it; undefined for a task without files. Throws an AppError when what it asks of a task that succeeded is not
 * there, has expired, is too much, or two files would lie in one place.
 */
export function workingFilesOf({ files }: TaskSpec, kept: readonly KeptTask[]): WorkingFiles | undefined {
  if (files === undefined) return undefined;
  const fetch = files.fetch.flatMap(({ from, patterns, to }) => {
    const task = kept.find(({ key }) => key === from);
    return task === undefined ? [] : fetched(task, patterns, to);
  });
  if (fetch.length > maxFetchedFiles)
    throw new AppError('reference-invalid', phrase('files-fetch-too-many', { count: fetch.length, limit: maxFetchedFiles }));
  const places = new Set<string>();
  for (const { path } of fetch) {
    if (!isPathBelow(path)) throw new AppError('reference-invalid', phrase('files-place-too-long', { path }));
    if (places.has(path)) throw new AppError('reference-invalid', phrase('files-same-place', { path }));
    places.add(path);
  }
  return { ...(files.keep.length > 0 ? { keep: { patterns: files.keep, limits: keepLimits } } : {}), fetch };
}

function fetched({ key, state, files }: KeptTask, patterns: readonly string[], to: string): FetchOrder[] {
  const meant = files.filter(({ path }) => patterns.some((pattern) => matchesFilePattern(pattern, path)));
  if (meant.some(({ expired }) => expired)) throw new AppError('reference-invalid', phrase('files-expired', { name: key }));
  if (meant.length === 0 && state === 'succeeded') {
    const told = patterns.map((pattern) => `\`${pattern}\``).join(', ');
    throw new AppError('reference-invalid', phrase('files-none-match', { name: key, patterns: told }));
  }
  return meant.map((file) => ({ id: file.id, path: placeOf(file, to), bytes: file.bytes, sha256: file.sha256 }));
}

/** Files of items lie in a folder each, named by the item's number from 0. */
function placeOf({ item, path }: KeptFile, to: string): string {
  return [...(to === '' ? [] : [to]), ...(item === null ? [] : [String(item)]), path].join('/');
}

import type { Phrase } from '@medley/core';

export type PathSegment = string | number;

/** A fault of a workflow file before it is located in the text. */
export interface WorkflowFault {
  path: PathSegment[];
  text: Phrase;
  expected?: Phrase;
  /** The fault is the key itself, not its value. */
  atKey?: boolean;
}

export function pathText(path: readonly PathSegment[]): string {
  return path.join('.');
}

export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own entry of a map, or undefined when there is none or the value is no map. */
export function entry(value: unknown, key: PathSegment): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<PathSegment, unknown>)[key]
    : undefined;
}

/** The two maps of a file that hold tasks. */
export const taskSections = ['tasks', 'finally'] as const;
export type TaskSection = (typeof taskSections)[number];

/** Every task of a file in its order, those of `finally` last, with where it stands. */
export function taskEntries(document: unknown): { section: TaskSection; key: string; task: unknown; path: PathSegment[] }[] {
  return taskSections.flatMap((section) =>
    entries(entry(document, section)).map(([key, task]) => ({ section, key, task, path: [section, key] })),
  );
}

export function entries(value: unknown): [string, unknown][] {
  return isMap(value) ? Object.entries(value) : [];
}

import { phrase } from '@medley/core';
import { entries, entry, type PathSegment, type WorkflowFault } from '../fault.js';
import type { Suggestions } from '../suggestions.js';

/** A limit that exists: of a project, or of the platform. */
export interface KnownLimit {
  name: string;
  /** Name of its project; null for one of the platform. */
  project: string | null;
  /** null: any number at once. */
  slots: number | null;
}

/** That every limit which tasks take exists, in the file's project or on the platform, and has that many slots. What has no valid form is reported elsewhere. */
export function checkLimitNames(document: unknown, all: readonly KnownLimit[], suggestions: Suggestions): WorkflowFault[] {
  const project = entry(document, 'project');
  const own = all.filter((limit) => limit.project === null || limit.project === project);
  // The project's own come last and stand before the platform's.
  const known = new Map([...own].sort((left) => (left.project === null ? -1 : 1)).map((limit) => [limit.name, limit]));
  const expected = known.size === 0 ? phrase('limit-form') : phrase('one-of', { names: [...known.keys()].slice(0, 20) });
  const check = (path: PathSegment[], limits: unknown): WorkflowFault[] =>
    usesOf(limits).flatMap(({ step, name, slots }): WorkflowFault[] => {
      const limit = known.get(name);
      if (limit === undefined) {
        const text = phrase('limit-unknown', { limit: name, hint: suggestions.hint(name, known.keys()) });
        return [{ path: [...path, step], atKey: true, text, expected }];
      }
      if (limit.slots === null || slots <= limit.slots || limit.slots === 0) return [];
      const text = phrase('limit-too-small', { limit: name, slots: limit.slots, asks: slots });
      return [{ path: [...path, step], text, expected: phrase('at-most', { limit: limit.slots }) }];
    });
  const tasks = entries(entry(document, 'tasks')).flatMap(([key, task]) => check(['tasks', key, 'limits'], entry(task, 'limits')));
  return [...check(['defaults', 'limits'], entry(entry(document, 'defaults'), 'limits')), ...tasks];
}

function usesOf(limits: unknown): { step: PathSegment; name: string; slots: number }[] {
  if (Array.isArray(limits)) return limits.flatMap((name, index) => (typeof name === 'string' ? [{ step: index, name, slots: 1 }] : []));
  return entries(limits).flatMap(([name, slots]) => (typeof slots === 'number' ? [{ step: name, name, slots }] : []));
}

import { phrase } from '@medley/core';
import { entries, entry, type PathSegment, taskEntries, type WorkflowFault } from '../fault.js';
import type { Suggestions } from '../suggestions.js';

interface BranchEntry {
  key: string;
  of: string;
  path: PathSegment[];
}

/** Every place where a case names a task. What has no valid form is reported elsewhere. */
function branchEntries(document: unknown): BranchEntry[] {
  return taskEntries(document).flatMap(({ key: of, task, path }) => {
    const named = (list: unknown, at: PathSegment[]): BranchEntry[] =>
      Array.isArray(list)
        ? list.flatMap((key, index) => (typeof key === 'string' ? [{ key, of, path: [...path, ...at, index] }] : []))
        : [];
    const cases = entries(entry(task, 'cases')).flatMap(([name, list]) => named(list, ['cases', name]));
    return [...cases, ...named(entry(task, 'default'), ['default'])];
  });
}

/** The switch of each task that stands in a case, by the task's key. */
export function switchesOf(document: unknown): Map<string, string> {
  return new Map(branchEntries(document).map(({ key, of }) => [key, of]));
}

/** That cases name tasks beside their switch, each task of one switch only, and none that `any` would let start without it. */
export function checkSwitches(document: unknown, suggestions: Suggestions): WorkflowFault[] {
  const tasks = new Map(taskEntries(document).map((each) => [each.key, each]));
  const owner = new Map<string, string>();
  return branchEntries(document).flatMap(({ key, of, path }): WorkflowFault[] => {
    const found = tasks.get(key);
    if (found === undefined)
      return [
        {
          path,
          text: phrase('task-not-known', { name: key, hint: suggestions.hint(key, tasks.keys()) }),
          expected: phrase('task-key-form'),
        },
      ];
    if (found.section !== tasks.get(of)!.section)
      return [{ path, text: phrase('case-other-section', { task: key, section: found.section }), expected: phrase('case-section-form') }];
    const other = owner.get(key) ?? of;
    owner.set(key, of);
    if (other !== of) return [{ path, text: phrase('case-twice', { task: key, other }), expected: phrase('case-twice-form') }];
    if (entry(entry(found.task, 'needs'), 'any') === undefined) return [];
    return [{ path, text: phrase('case-any', { task: key, switch: of }), expected: phrase('case-any-form') }];
  });
}

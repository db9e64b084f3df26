import { phrase } from '@medley/core';
import { entry, type PathSegment, taskEntries, type WorkflowFault } from '../fault.js';
import { defaultPool } from '../normalise-workflow.js';
import type { Suggestions } from '../suggestions.js';

/** That every pool the tasks go to exists. What has no valid form is reported elsewhere. */
export function checkPools(document: unknown, pools: readonly string[], suggestions: Suggestions): WorkflowFault[] {
  const known = new Set(pools);
  const expected = pools.length === 0 ? phrase('pool-form') : phrase('one-of', { names: pools.slice(0, 20) });
  const check = (path: PathSegment[], name: unknown): WorkflowFault[] => {
    if (typeof name !== 'string' || known.has(name)) return [];
    return [{ path, text: phrase('pool-unknown', { pool: name, hint: suggestions.hint(name, pools) }), expected }];
  };
  const common = entry(entry(document, 'defaults'), 'pool');
  const own = taskEntries(document).flatMap(({ task, path }) => {
    const pool = entry(task, 'pool');
    if (pool !== undefined) return check([...path, 'pool'], pool);
    return common === undefined ? check(path, defaultPool) : [];
  });
  return [...check(['defaults', 'pool'], common), ...own];
}

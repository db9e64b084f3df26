import type { RunFilter } from '@medley/contracts';
import { uuidv7LowerBound } from '@medley/database';
import type { VisibleProjects } from '../access/caller.js';
import { idBoundsOf } from '../search/search.repository.js';

/** Conditions on runs `r`, any of which may be written into several parts of a statement; their values are its first parameters. */
export interface RunConditions {
  conditions: string[];
  values: unknown[];
}

/**
 * What a filter says as conditions, but for states and projects, by which statements are split. States and triggers are words of their own lists, so that they may
 * stand in the text: the planner then knows how rare they are, and that a partial index serves.
 */
export function conditionsOf(filter: Omit<RunFilter, 'state' | 'projectId'>): RunConditions {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const where = (condition: (parameter: string) => string, value: unknown) => {
    if (value === undefined || value === null) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  where((parameter) => `r.id >= ${parameter}`, filter.since && uuidv7LowerBound(Date.parse(filter.since)));
  where((parameter) => `r.id < ${parameter}`, filter.until && uuidv7LowerBound(Date.parse(filter.until)));
  where((parameter) => `r.workflow_id = ${parameter}`, filter.workflowId);
  where((parameter) => `r.schedule_id = ${parameter}`, filter.scheduleId);
  // The trigger names the partial index.
  where((parameter) => `r.trigger = 'backfill' and r.backfill_id = ${parameter}`, filter.backfillId);
  where((parameter) => `r.parent_run_id = ${parameter}`, filter.parentRunId);
  if (filter.trigger) conditions.push(`r.trigger = '${filter.trigger}'`);
  const bounds = filter.id === undefined ? null : idBoundsOf(filter.id.toLowerCase());
  if (bounds) {
    values.push(bounds.lower, bounds.upper, filter.id!.toLowerCase());
    const [lower, upper, part] = [values.length - 2, values.length - 1, values.length];
    conditions.push(
      `r.id in (select id from runs where id between $${lower} and $${upper} union all select id from runs where right(id::text, 8) = $${part})`,
    );
  }
  return { conditions, values };
}

export function whereOf(conditions: readonly string[]): string {
  return conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
}

/** Conditions of one statement over all states and projects that are looked for. */
export function allConditions(filter: RunFilter, projects: VisibleProjects): RunConditions {
  const { conditions, values } = conditionsOf(filter);
  if (filter.state?.length) conditions.push(`r.state in (${filter.state.map((state) => `'${state}'`).join(', ')})`);
  if (projects !== null) conditions.push(`r.project_id = any($${values.push(projects)})`);
  return { conditions, values };
}

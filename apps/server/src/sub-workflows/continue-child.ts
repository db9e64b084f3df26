import { isDeepStrictEqual } from 'node:util';
import { AppError, isTerminalRunState, type RunState } from '@medley/core';
import type { Sql } from '@medley/database';
import type { RunToCreate } from '../runs/create-runs.js';
import { planRerun, toRerun } from '../runs/plan-rerun.js';
import type { WorkflowSpecs } from '../settlement/workflow-specs.js';
import type { UnplacedTaskRun } from '../unplaced/unplaced.types.js';

interface EndedChild {
  workflow_id: string;
  workflow_version: number;
  state: RunState;
  parameters: Record<string, unknown>;
}

/**
 * In a rerun of what failed, the first attempt of a task goes on from what failed in the run that it had before, if it would be a run of the same version with the same
 * values. Null where it begins anew.
 */
export async function planContinuation(
  sql: Sql,
  specs: WorkflowSpecs,
  { continuesRunId, tries }: UnplacedTaskRun,
  child: RunToCreate,
): Promise<RunToCreate | null> {
  if (continuesRunId === null || tries > 0) return null;
  const [before] = await sql.query<EndedChild>('select workflow_id, workflow_version, state, parameters from runs where id = $1', [
    continuesRunId,
  ]);
  if (!before || !isTerminalRunState(before.state) || !isSame(before, child)) return null;
  try {
    const planned = await planRerun(sql, specs, continuesRunId, { mode: 'failed' });
    if (planned.anew.length === 0) return null;
    const { keep, continues } = toRerun(planned);
    return { ...child, rerunOf: continuesRunId, keep, continues };
  } catch (error) {
    if (error instanceof AppError) return null; // removed meanwhile
    throw error;
  }
}

function isSame(before: EndedChild, { workflowId, workflowVersion, parameters }: RunToCreate): boolean {
  const given = Object.entries(parameters);
  return (
    before.workflow_id === workflowId &&
    before.workflow_version === workflowVersion &&
    given.every(([name, value]) => isDeepStrictEqual(before.parameters[name], value))
  );
}

import type { WorkflowDag } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import type { WorkflowSpecs } from '../settlement/workflow-specs.js';
import { workflowDagOf } from '../workflows/workflow-dag.js';

/** The graph of the version that a run executes, so that a reader of the run need not know the version first. Throws not-found. */
export async function getRunDag(sql: Sql, specs: WorkflowSpecs, runId: string): Promise<WorkflowDag> {
  const [run] = await sql.query<{ workflowId: string; version: number }>(
    'select workflow_id as "workflowId", workflow_version as version from runs where id = $1',
    [runId],
  );
  if (!run) throw new AppError('not-found', phrase('no-such-run'));
  const { spec } = await specs.load(sql, run.workflowId, run.version);
  return workflowDagOf(spec);
}

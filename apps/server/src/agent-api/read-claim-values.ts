import type { TaskSpec } from '@medley/contracts';
import type { Outputs, TaskResult } from '@medley/core';
import type { Sql } from '@medley/database';
import { readSealedSecretsOf } from '../secrets/read-secrets.js';
import type { SealedSecret } from '../secrets/secret-keys.js';
import { namesOf } from '../settlement/task-names.js';
import type { WorkflowSpecs } from '../settlement/workflow-specs.js';
import { readIterationOutputsOf, readTaskResultsOf } from '../task-runs/task-results.js';
import { readVariablesOf } from '../variables/variables.service.js';
import { type KeptTask, readKeptFilesOf } from '../working-files/kept-files.js';
import type { GrantedRow } from './grant-claims.js';

/** A granted claim with what the values of its task name. */
export interface ClaimValues {
  row: GrantedRow;
  spec: TaskSpec;
  tasks: Record<string, TaskResult>;
  variables: Record<string, string>;
  sealed: Record<string, SealedSecret>;
  /** What the iteration before gave. */
  previous: Outputs;
  /** What the tasks that it fetches files from have kept. */
  files: KeptTask[];
}

/** What the tasks of a batch of claims name, read together: five questions at most and at once, however many claims there are, and none for what nobody names. */
export async function readClaimValues(sql: Sql, specs: WorkflowSpecs, rows: readonly GrantedRow[]): Promise<ClaimValues[]> {
  const named = await Promise.all(
    rows.map(async (row) => {
      const { task, positionOf } = await specs.load(sql, row.workflow_id, row.workflow_version);
      const spec = task(row.task_key);
      const names = namesOf(spec);
      return {
        row,
        spec,
        names,
        position: positionOf(row.task_key),
        positions: names.tasks.map(positionOf),
        fetched: fetchedPositions(spec, positionOf),
      };
    }),
  );
  const ofProject = (names: (each: (typeof named)[number]) => readonly string[]) =>
    named.map((each) => ({ projectId: each.row.project_id, names: names(each) }));
  const [tasks, variables, sealed, previous, files] = await Promise.all([
    readTaskResultsOf(
      sql,
      named.map(({ row, positions }) => ({ runId: row.run_id, positions })),
    ),
    readVariablesOf(
      sql,
      ofProject(({ names }) => names.variables),
    ),
    readSealedSecretsOf(
      sql,
      ofProject(({ names }) => names.secrets),
    ),
    readIterationOutputsOf(
      sql,
      named.map(({ row, names, position }) => (names.previous ? { runId: row.run_id, position, item: row.item - 1 } : null)),
    ),
    readKeptFilesOf(
      sql,
      named.map(({ row, fetched }) => ({ runId: row.run_id, positions: fetched })),
    ),
  ]);
  return named.map(({ row, spec }, index) => ({
    ...{ row, spec },
    tasks: tasks[index]!,
    variables: variables[index]!,
    sealed: sealed[index]!,
    previous: previous[index]!,
    files: files[index]!,
  }));
}

function fetchedPositions(spec: TaskSpec, positionOf: (key: string) => number): number[] {
  return [...new Set((spec.files?.fetch ?? []).map(({ from }) => positionOf(from)))];
}

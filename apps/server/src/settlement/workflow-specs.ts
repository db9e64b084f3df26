import type { TaskSpec, WorkflowSpec } from '@medley/contracts';
import { type Dag, indexDag } from '@medley/core';
import type { Sql } from '@medley/database';

/** A workflow version ready for evaluation. Positions are those of `task_runs.position`. */
export interface LoadedWorkflow {
  spec: WorkflowSpec;
  dag: Dag;
  task: (key: string) => TaskSpec;
  positionOf: (key: string) => number;
}

const MAX_TASKS_CACHED = 100_000;

/** Versions are immutable, so what was read once stays true; the least recently used go when the cache holds too many tasks. */
export class WorkflowSpecs {
  private readonly loaded = new Map<string, LoadedWorkflow>();
  private tasks = 0;

  constructor(private readonly maxTasks = MAX_TASKS_CACHED) {}

  async load(sql: Sql, workflowId: string, version: number): Promise<LoadedWorkflow> {
    const key = `${workflowId} ${version}`;
    const known = this.loaded.get(key);
    if (known) {
      this.loaded.delete(key);
      this.loaded.set(key, known);
      return known;
    }
    const [row] = await sql.query<{ spec: WorkflowSpec }>('select spec from workflow_versions where workflow_id = $1 and version = $2', [
      workflowId,
      version,
    ]);
    if (!row) throw new Error(`workflow ${workflowId} has no version ${version}`);
    return this.keep(key, indexWorkflow(row.spec));
  }

  private keep(key: string, workflow: LoadedWorkflow): LoadedWorkflow {
    const meanwhile = this.loaded.get(key); // two callers may have missed at the same time
    if (meanwhile) return meanwhile;
    this.loaded.set(key, workflow);
    this.tasks += workflow.spec.tasks.length;
    for (const [oldest, { spec }] of this.loaded) {
      if (this.tasks <= this.maxTasks || oldest === key) break;
      this.loaded.delete(oldest);
      this.tasks -= spec.tasks.length;
    }
    return workflow;
  }
}

/** A specification ready for evaluation. */
export function indexWorkflow(spec: WorkflowSpec): LoadedWorkflow {
  const positions = new Map(spec.tasks.map((task, position) => [task.key, position]));
  return {
    spec,
    dag: indexDag(spec.tasks),
    task: (key) => spec.tasks[positions.get(key)!]!,
    positionOf: (key) => positions.get(key)!,
  };
}

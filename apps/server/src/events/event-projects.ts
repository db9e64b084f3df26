import type { ChangeEvent } from '@medley/contracts';
import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

const REMEMBERED_RUNS = 10_000;

/** Nodes and pools belong to nobody: everyone signed in may see them. */
export const isOfEveryone = ({ entity }: ChangeEvent): boolean => entity === 'node' || entity === 'pool';

/** Tells of which project each change is, also where whoever announced it knew only the run. */
@Injectable()
export class EventProjects {
  private readonly sql: Sql;
  /** A run never changes its project. */
  private readonly projectOfRun = new Map<string, string>();

  constructor(@Inject(DataSource) source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  /** The same changes with their projects; one whose project cannot be found stays without. */
  async complete(changes: readonly ChangeEvent[]): Promise<ChangeEvent[]> {
    const unknown = changes.filter(isIncomplete).map(runOf);
    await this.learn([...new Set(unknown)].filter((id) => id !== undefined && !this.projectOfRun.has(id)) as string[]);
    return changes.map((change) => (isIncomplete(change) ? { ...change, projectId: this.projectOfRun.get(runOf(change) ?? '') } : change));
  }

  private async learn(runIds: readonly string[]): Promise<void> {
    if (runIds.length === 0) return;
    const rows = await this.sql.query<{ id: string; project_id: string }>('select id, project_id from runs where id = any($1)', [runIds]);
    if (this.projectOfRun.size + rows.length > REMEMBERED_RUNS) this.projectOfRun.clear();
    for (const { id, project_id } of rows) this.projectOfRun.set(id, project_id);
  }
}

function isIncomplete(change: ChangeEvent): boolean {
  return change.projectId === undefined && !isOfEveryone(change);
}

function runOf({ entity, id, runId }: ChangeEvent): string | undefined {
  return entity === 'run' ? id : runId;
}

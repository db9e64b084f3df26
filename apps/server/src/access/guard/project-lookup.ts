import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** By one look-up over primary keys each; a removed project is none. */
const lookups = {
  project: 'select p.id from projects p where p.id = $1 and p.removed_at is null',
  workflow: 'select p.id from workflows w join projects p on p.id = w.project_id where w.id = $1 and p.removed_at is null',
  schedule:
    'select p.id from schedules s join projects p on p.id = s.project_id where s.id = $1 and s.removed_at is null and p.removed_at is null',
  run: 'select p.id from runs r join projects p on p.id = r.project_id where r.id = $1 and p.removed_at is null',
  backfill: 'select p.id from backfills b join projects p on p.id = b.project_id where b.id = $1 and p.removed_at is null',
  'task run': `select p.id from task_runs t join runs r on r.id = t.run_id join projects p on p.id = r.project_id where t.id = $1 and p.removed_at is null`,
  attempt:
    'select p.id from attempts a join runs r on r.id = a.run_id join projects p on p.id = r.project_id where a.id = $1 and p.removed_at is null',
} as const;

/** What belongs to a project and is addressed by its id. */
export type ProjectThing = keyof typeof lookups;

/** Finds the project that a thing belongs to. */
@Injectable()
export class ProjectLookup {
  private readonly sql: Sql;

  constructor(@Inject(DataSource) source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  /** Null when there is no such thing. */
  async projectOf(thing: ProjectThing, id: string): Promise<string | null> {
    const [project] = await this.sql.query<{ id: string }>(lookups[thing], [id]);
    return project?.id ?? null;
  }
}

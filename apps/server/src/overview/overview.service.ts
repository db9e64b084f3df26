import type { Overview } from '@medley/contracts';
import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { VisibleProjects } from '../access/caller.js';
import {
  countNodes,
  countRuns,
  countTaskRuns,
  readFailedRuns,
  readNextFires,
  readRunningRuns,
  readWaitingTasks,
} from './overview.repository.js';

@Injectable()
export class OverviewService {
  private readonly sql: Sql;
  private readonly current = new Map<string, Promise<Overview>>();

  constructor(@Inject(DataSource) source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  /** Of these projects, or of all. Callers that ask for the same while an answer is being made share it. */
  get(projects: VisibleProjects): Promise<Overview> {
    const key = JSON.stringify(projects?.toSorted() ?? null);
    const started = this.current.get(key);
    if (started) return started;
    const reading = this.read(projects).finally(() => this.current.delete(key));
    this.current.set(key, reading);
    return reading;
  }

  private async read(projects: VisibleProjects): Promise<Overview> {
    const [clock] = await this.sql.query<{ now: Date }>('select clock_timestamp() as now');
    const nowMs = clock!.now.getTime();
    return {
      at: clock!.now.toISOString(),
      runs: await countRuns(this.sql, nowMs, projects),
      taskRuns: await countTaskRuns(this.sql, projects),
      ...(await countNodes(this.sql)),
      running: await readRunningRuns(this.sql, projects),
      failed: await readFailedRuns(this.sql, nowMs, projects),
      waiting: await readWaitingTasks(this.sql, projects),
      nextFires: await readNextFires(this.sql, projects),
    };
  }
}

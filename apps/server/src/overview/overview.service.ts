import type { Overview } from '@medley/contracts';
import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
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
  private readonly current = new Map<string | null, Promise<Overview>>();

  constructor(@Inject(DataSource) source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  /** Of one project, or of all. Callers that ask for the same while an answer is being made share it. */
  get(projectId: string | null): Promise<Overview> {
    const started = this.current.get(projectId);
    if (started) return started;
    const reading = this.read(projectId).finally(() => this.current.delete(projectId));
    this.current.set(projectId, reading);
    return reading;
  }

  private async read(projectId: string | null): Promise<Overview> {
    const [clock] = await this.sql.query<{ now: Date }>('select clock_timestamp() as now');
    const nowMs = clock!.now.getTime();
    return {
      at: clock!.now.toISOString(),
      runs: await countRuns(this.sql, nowMs, projectId),
      taskRuns: await countTaskRuns(this.sql, projectId),
      ...(await countNodes(this.sql)),
      running: await readRunningRuns(this.sql, projectId),
      failed: await readFailedRuns(this.sql, nowMs, projectId),
      waiting: await readWaitingTasks(this.sql, projectId),
      nextFires: await readNextFires(this.sql, projectId),
    };
  }
}

import type { Overview } from '@medley/contracts';
import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { listNodes } from '../nodes/nodes.repository.js';
import {
  countNodes,
  countRuns,
  countTaskRuns,
  readFailedRuns,
  readNextFires,
  readRunningRuns,
  readThroughput,
  readWaitingTasks,
} from './overview.repository.js';

const SHOWN_NODES = 50;
/** The dearest part, and one in which a few seconds do not matter. */
const THROUGHPUT_MS = 10_000;

@Injectable()
export class OverviewService {
  private readonly sql: Sql;
  private current: Promise<Overview> | null = null;
  private throughput: { minutes: Overview['throughput']; until: number } | null = null;

  constructor(@Inject(DataSource) source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  /** Callers that ask while an answer is being made share it. */
  get(): Promise<Overview> {
    this.current ??= this.read().finally(() => {
      this.current = null;
    });
    return this.current;
  }

  private async read(): Promise<Overview> {
    const [clock] = await this.sql.query<{ now: Date }>('select clock_timestamp() as now');
    const nowMs = clock!.now.getTime();
    return {
      at: clock!.now.toISOString(),
      runs: await countRuns(this.sql, nowMs),
      taskRuns: await countTaskRuns(this.sql),
      nodes: await countNodes(this.sql),
      running: await readRunningRuns(this.sql),
      failed: await readFailedRuns(this.sql, nowMs),
      waiting: await readWaitingTasks(this.sql),
      nextFires: await readNextFires(this.sql),
      nodeList: (await listNodes(this.sql, { limit: SHOWN_NODES })).items,
      throughput: await this.readThroughput(nowMs),
    };
  }

  private async readThroughput(nowMs: number): Promise<Overview['throughput']> {
    if (!this.throughput || this.throughput.until < nowMs) {
      this.throughput = { minutes: await readThroughput(this.sql, nowMs), until: nowMs + THROUGHPUT_MS };
    }
    return this.throughput.minutes;
  }
}

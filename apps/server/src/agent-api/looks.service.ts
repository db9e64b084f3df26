import type { FileLookAnswer } from '@medley/contracts';
import { inTransaction, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Settlement } from '../settlement/settlement.js';
import { WakeBus } from '../wake/wake-bus.js';
import { type AnsweredWatch, endWatches, keepFound, readAnswered } from '../watches/file-answers.js';

/** What agents found of the files that tasks wait for. */
@Injectable()
export class LooksService {
  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(Settlement) private readonly settlement: Settlement,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
  ) {}

  /** Applies each answer at most once, and only while it is the newest of its watch that is asked for. */
  async take(nodeId: string, answers: readonly FileLookAnswer[]): Promise<void> {
    const sql = sqlOutsideTransaction(this.source);
    const answered = await readAnswered(sql, nodeId, answers);
    if (answered.length === 0) return;
    const [node] = await sql.query<{ name: string }>('select name from nodes where id = $1', [nodeId]);
    const met = answered.filter(({ result }) => result.outcome === 'there');
    const unmet = answered.filter(({ result }) => result.outcome !== 'there');
    if (unmet.length > 0) this.changed(await inTransaction(this.source, (sql) => keepFound(sql, node!.name, unmet)));
    if (met.length === 0) return;
    this.settlement.announceMarking(await inTransaction(this.source, (sql) => endWatches(sql, this.settlement, node!.name, met)));
    this.changed(met);
  }

  private changed(watches: readonly AnsweredWatch[]): void {
    this.wakeBus.changed(watches.map(({ taskRunId, runId }) => ({ entity: 'task-run', id: taskRunId, runId })));
  }
}

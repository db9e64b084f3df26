import { inTransaction, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ServerConfig } from '../config.js';
import { Settlement } from '../settlement/settlement.js';
import { WakeBus } from '../wake/wake-bus.js';
import { askNodes } from '../watches/ask-nodes.js';
import { claimDueWatches, nextLookMs } from '../watches/claim-watches.js';
import { type FileWatch, type HttpWatch, isFileWatch, isHttpWatch } from '../watches/file-watch.js';
import { lookAt } from '../watches/look-at.js';
import { type Looked, writeLooks } from '../watches/write-looks.js';
import type { PassResult } from './pass-runner.js';

const BATCH = 50;
/** Due rows that were not taken are held by another server. */
const SOONEST_MS = 100;

/**
 * Looks at what tasks wait for, each when it is due, on whichever server comes first. Nothing is locked while an address is asked. For files it is the nodes that look: what they are
 * asked is written down here, and handed to them when they next say that they live.
 */
@Injectable()
export class WatchPass {
  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(ServerConfig) private readonly config: ServerConfig,
    @Inject(Settlement) private readonly settlement: Settlement,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
  ) {}

  async run(): Promise<PassResult> {
    const sql = sqlOutsideTransaction(this.source);
    const watches = await claimDueWatches(sql, BATCH);
    await Promise.all([this.lookAtAddresses(watches.filter(isHttpWatch)), this.ask(watches.filter(isFileWatch))]);
    const ms = await nextLookMs(sql);
    return { again: watches.length >= BATCH, ...(ms === null ? {} : { wakeInMs: Math.max(SOONEST_MS, ms) }) };
  }

  private async lookAtAddresses(watches: readonly HttpWatch[]): Promise<void> {
    if (watches.length > 0) await this.write(await Promise.all(watches.map((watch) => this.look(watch))));
  }

  private async ask(watches: readonly FileWatch[]): Promise<void> {
    if (watches.length === 0) return;
    await inTransaction(this.source, (sql) => askNodes(sql, watches));
    this.wakeBus.changed(watches.map(({ taskRunId, runId }) => ({ entity: 'task-run', id: taskRunId, runId })));
  }

  private async look(watch: HttpWatch): Promise<Looked> {
    const look = await lookAt(watch.question, this.config.probeAddresses);
    return { ...watch, ...look, at: new Date() };
  }

  private async write(looked: readonly Looked[]): Promise<void> {
    const marking = await inTransaction(this.source, (sql) => writeLooks(sql, this.settlement, looked));
    this.settlement.announceMarking(marking);
    this.wakeBus.changed(looked.map(({ taskRunId, runId }) => ({ entity: 'task-run', id: taskRunId, runId })));
  }
}

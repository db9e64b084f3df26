import { sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { type NodeDispatch, NodeQueues } from '../dispatch-queue/node-queues.js';
import { LOGGER } from '../logging/logger.js';
import { WakeBus } from '../wake/wake-bus.js';

/** How long after a delivery the relay pass looks whether everything was claimed. */
const WATCH_MS = 1000;

/** Carries committed dispatches to their nodes: by the queue, or by waking the node's long poll where the queue does not take them. */
@Injectable()
export class DispatchRelay {
  private watch: NodeJS.Timeout | null = null;

  constructor(
    @Inject(NodeQueues) private readonly queues: NodeQueues,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Seconds during which the queue has the first try and the long poll holds an attempt back. */
  get pullAfterSeconds(): number {
    return this.queues.usable ? 1.5 : 0;
  }

  /** Sends what was committed with that number as its pull delay. Never throws: an attempt that no message reaches is found by the relay pass. */
  async deliver(dispatches: readonly NodeDispatch[], pullAfterSeconds: number): Promise<void> {
    if (dispatches.length === 0) return;
    this.watch ??= setTimeout(() => {
      this.watch = null;
      this.wakeBus.relay();
    }, WATCH_MS).unref();
    try {
      const failed = pullAfterSeconds > 0 ? await this.queues.send(dispatches) : dispatches;
      if (failed.length === 0) return;
      if (pullAfterSeconds > 0) await this.leaveToPull(failed);
      for (const nodeId of new Set(failed.map((dispatch) => dispatch.nodeId))) this.wakeBus.work(nodeId);
    } catch (error) {
      this.logger.warn({ err: error }, 'dispatches were not delivered now; the relay pass will send them again');
    }
  }

  private async leaveToPull(dispatches: readonly NodeDispatch[]): Promise<void> {
    await sqlOutsideTransaction(this.source).query(
      `with locked as (select id from attempts where id = any($1) and state = 'dispatched' order by id for update)
       update attempts a set pull_from = clock_timestamp() from locked l where a.id = l.id`,
      [dispatches.map((dispatch) => dispatch.attemptId)],
    );
  }
}

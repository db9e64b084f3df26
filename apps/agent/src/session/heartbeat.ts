import {
  type AttemptRef,
  type FileLook,
  heartbeatAnswerSchema,
  type MeasuredPerformance,
  type NodeLoad,
  type StopOrder,
} from '@medley/contracts';
import { backoffMs, pause } from '../backoff.js';
import { monotonicMs } from '../clock.js';
import type { Lease } from '../lease/lease.js';
import type { Logger } from '../log.js';
import type { ServerClient } from '../transport/server-client.js';
import { ServerAnswerError } from '../transport/server-errors.js';

const TIMEOUT_MS = 5000;

export interface HeartbeatOptions {
  client: ServerClient;
  bootId: string;
  heartbeatSeconds: number;
  load: () => Promise<NodeLoad>;
  live: () => AttemptRef[];
  performance: () => MeasuredPerformance | null;
  /** Whether the server gave a queue to listen to. */
  hasQueue: () => boolean;
  lease: Lease;
  lastAnswer: { at: string | null };
  onStops: (stops: StopOrder[]) => void;
  /** Returns at once, whatever there is to look for. */
  onLooks: (looks: FileLook[]) => void;
  /** The server wants a new session: it has restarted, or has given this node up. */
  onRenew: () => Promise<void>;
  log: Logger;
}

/** Sends load and live list at the interval the server names; after a failure sooner, so that the lease is not lost to one bad request. */
export class Heartbeat {
  private readonly abort = new AbortController();
  private running: Promise<void> | null = null;
  private intervalMs: number;

  constructor(private readonly options: HeartbeatOptions) {
    this.intervalMs = options.heartbeatSeconds * 1000;
  }

  /** Beats until stopped; rejects when the session cannot be renewed for good. */
  start(): Promise<void> {
    this.running = this.loop();
    return this.running;
  }

  stop(): void {
    this.abort.abort();
  }

  private async loop(): Promise<void> {
    let failures = 0;
    while (!this.abort.signal.aborted) {
      await pause(failures === 0 ? this.intervalMs : Math.min(this.intervalMs, backoffMs(failures, 200, 2000)), this.abort.signal);
      if (this.abort.signal.aborted) {
        return;
      }
      failures = (await this.beat()) ? 0 : failures + 1;
    }
  }

  private async beat(): Promise<boolean> {
    const { client, bootId, lease, log, onStops } = this.options;
    try {
      const load = await this.options.load();
      const sentAtMs = monotonicMs();
      const { live, performance, hasQueue, lastAnswer } = this.options;
      const body = { bootId, load, live: live(), performance: performance(), hasQueue: hasQueue(), lastAnswerAt: lastAnswer.at };
      const signal = this.abort.signal;
      const answer = await client.request({
        method: 'POST',
        path: 'heartbeat',
        body,
        answer: heartbeatAnswerSchema,
        timeoutMs: TIMEOUT_MS,
        signal,
      });
      await lease.renew(sentAtMs, answer.leaseSeconds);
      if (answer.session === 'ok') lastAnswer.at = answer.at;
      this.intervalMs = answer.heartbeatSeconds * 1000;
      onStops(answer.stops);
      this.options.onLooks(answer.looks ?? []);
      if (answer.session === 'renew') {
        await this.options.onRenew();
      }
      return true;
    } catch (error) {
      if (this.abort.signal.aborted) {
        return true;
      }
      if (error instanceof ServerAnswerError && error.status === 401) {
        await this.options.onRenew();
        return true;
      }
      if ((error as Error).name === 'AppError') {
        throw error;
      }
      log.warn({ error: String(error) }, 'heartbeat not answered');
      return false;
    }
  }
}

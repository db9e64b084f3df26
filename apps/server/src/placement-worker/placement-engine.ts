import { Worker } from 'node:worker_threads';
import { type PlacementTurnInput, type PlacementTurnResult, placeTurn } from '@medley/core';
import { Inject, Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';

/** Below this many (node, request) pairs a turn takes less time than handing it to a thread. */
const INLINE_PAIRS = 2000;

interface Waiting {
  resolve: (result: PlacementTurnResult) => void;
  reject: (error: Error) => void;
}

/** Runs `placeTurn` in a worker thread; small turns in place. */
@Injectable()
export class PlacementEngine implements OnApplicationShutdown {
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;

  /** Nothing provides the URL: Nest is told so, or it would ask for one at start. */
  constructor(@Optional() @Inject(URL) private readonly workerUrl = new URL('./placement.worker.js', import.meta.url)) {}

  /** With a limit the turn ends once that time is over, which in place it never is. */
  async decide(input: PlacementTurnInput, limitMs: number | null = null): Promise<PlacementTurnResult> {
    if (input.nodes.length * input.requests.length <= INLINE_PAIRS) return placeTurn(input);
    const worker = this.ensureWorker();
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      worker.postMessage({ id, input, limitMs });
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.worker?.terminate();
  }

  private ensureWorker(): Worker {
    if (this.worker) return this.worker;
    const worker = new Worker(this.workerUrl);
    worker.unref();
    worker.on('message', ({ id, result, error }: { id: number; result?: PlacementTurnResult; error?: string }) => {
      const waiting = this.waiting.get(id);
      this.waiting.delete(id);
      if (result) waiting?.resolve(result);
      else waiting?.reject(new Error(error));
    });
    worker.on('exit', () => this.lose(worker, new Error('the placement thread ended')));
    worker.on('error', (error) => this.lose(worker, error as Error));
    this.worker = worker;
    return worker;
  }

  /** A thread that fails is told twice, by `error` and by `exit`; what waits after the first belongs to the next thread. */
  private lose(worker: Worker, error: Error): void {
    if (this.worker !== worker) return;
    this.worker = null;
    for (const waiting of this.waiting.values()) waiting.reject(error);
    this.waiting.clear();
  }
}

import { type StopOrder, workAnswerSchema } from '@medley/contracts';
import { backoffMs, pause } from '../backoff.js';
import type { ClaimDesk } from '../claims/claim-desk.js';
import type { Logger } from '../log.js';
import type { ServerClient } from './server-client.js';

const WAIT_SECONDS = 10;
const REPEAT_MS = 250;

/**
 * Always keeps one long poll at the server. It is the only carrier without Redis; with Redis it brings what the queue lost, and stop orders
 * at once. It knows nothing of Redis, so nothing there can hold it up.
 */
export class PullLoop {
  private readonly abort = new AbortController();
  private running: Promise<void> | null = null;

  constructor(
    private readonly client: ServerClient,
    private readonly desk: ClaimDesk,
    private readonly onStops: (stops: StopOrder[]) => void,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.running = this.loop();
  }

  async stop(): Promise<void> {
    this.abort.abort();
    await this.running;
  }

  private async loop(): Promise<void> {
    let failures = 0;
    while (!this.abort.signal.aborted) {
      try {
        await this.pullOnce();
        failures = 0;
      } catch (error) {
        if (this.abort.signal.aborted) {
          return;
        }
        this.log.debug({ error: String(error) }, 'pull failed');
        await pause(backoffMs(failures, 50, 2000), this.abort.signal);
        failures += 1;
      }
    }
  }

  private async pullOnce(): Promise<void> {
    const path = `work?waitSeconds=${WAIT_SECONDS}`;
    const timeoutMs = (WAIT_SECONDS + 5) * 1000;
    const answer = await this.client.request({
      method: 'GET',
      path,
      answer: workAnswerSchema,
      timeoutMs,
      longPoll: true,
      signal: this.abort.signal,
    });
    if (answer.stops.length > 0) {
      this.onStops(answer.stops);
    }
    const fresh = this.desk.offer(answer.dispatches, 'pull');
    if (fresh === 0 && answer.dispatches.length + answer.stops.length > 0) {
      // The server repeats what is being claimed or stopped already: asking again at once would only spin.
      await Promise.race([pause(REPEAT_MS, this.abort.signal), this.desk.nextAnswer().then(() => pause(20))]);
    }
  }
}

import { randomUUID } from 'node:crypto';
import {
  type AttemptRef,
  type AttemptWork,
  type Carrier,
  type ClaimsAnswer,
  claimsAnswerSchema,
  type Dispatch,
  type NodeCapacity,
  type StopOrder,
} from '@medley/contracts';
import { addResources, noResources } from '@medley/core';
import { backoffMs, pause } from '../backoff.js';
import { monotonicMs } from '../clock.js';
import type { Logger } from '../log.js';
import type { ServerClient } from '../transport/server-client.js';
import { ServerAnswerError } from '../transport/server-errors.js';
import { Backlog, type BacklogEntry } from './backlog.js';

const COLLECT_MS = 2;
const MAX_CLAIMS = 500;
const REQUESTS_AT_ONCE = 2;
const REFUSAL_HOLDS_MS = 1000;
const BACKLOG_LOOK_MS = 500;

export interface ClaimDeskOptions {
  client: ServerClient;
  log: Logger;
  /** Whether the attempt runs or has run here. */
  knows: (ref: AttemptRef) => boolean;
  /** Attempts this agent may still take. */
  room: () => number;
  /** Whether so much would fit beside what runs here. */
  fits: (awaited: NodeCapacity) => boolean;
  onGranted: (dispatch: Dispatch, work: AttemptWork, stop: StopOrder['reason'] | null) => void;
}

interface PendingClaim extends BacklogEntry {
  carrier: Carrier;
  claimId: string;
  sent: boolean;
  stop: StopOrder['reason'] | null;
}

const keyOf = (ref: AttemptRef) => `${ref.attemptId}:${ref.fence}`;

/**
 * Turns dispatch messages, from whichever carrier and however often they come, into claims. A claim keeps its id until it is answered: when
 * the answer is lost, asking again gets the same one. From its sending on the attempt counts as live. Prefetched ones are kept back until there is room.
 */
export class ClaimDesk {
  private readonly pending = new Map<string, PendingClaim>();
  /** When a claim was refused: a server that goes on handing it out is asked again after a while, not in a circle. */
  private readonly refusedAtMs = new Map<string, number>();
  private readonly backlog: Backlog<PendingClaim>;
  private backlogTimer: NodeJS.Timeout | null = null;
  private requests = 0;
  private timer: NodeJS.Timeout | NodeJS.Immediate | null = null;
  private closed = false;
  private readonly abort = new AbortController();
  private settled: (() => void)[] = [];

  constructor(private readonly options: ClaimDeskOptions) {
    this.backlog = new Backlog((awaited) => options.fits(addResources(awaited, this.awaitedUnderWay())));
  }

  /** Takes messages; returns how many of them were new. */
  offer(dispatches: readonly Dispatch[], carrier: Carrier): number {
    const isFresh = (dispatch: Dispatch) =>
      !this.pending.has(keyOf(dispatch)) && !this.options.knows(dispatch) && !this.isRefused(dispatch);
    const fresh = dispatches.filter(isFresh);
    for (const dispatch of fresh) {
      const claim = { dispatch, carrier, claimId: randomUUID(), sent: false, stop: null, sinceMs: monotonicMs() };
      this.pending.set(keyOf(dispatch), claim);
      if (dispatch.awaits) {
        this.backlog.add(claim);
      }
    }
    this.watchBacklog();
    this.pump();
    return fresh.length;
  }

  live(): AttemptRef[] {
    return [...this.pending.values()]
      .filter((claim) => claim.sent)
      .map(({ dispatch }) => ({ attemptId: dispatch.attemptId, fence: dispatch.fence }));
  }

  /** An attempt has ended here and the server knows: what was prefetched may find room now. */
  roomFreed(): void {
    this.backlog.roomFreed();
    this.pump();
  }

  /** Room may have become free: claims that waited for it go out. */
  pump(): void {
    if (this.closed || this.requests >= REQUESTS_AT_ONCE) {
      return;
    }
    const fire = () => {
      this.timer = null;
      this.send();
    };
    if (this.requests > 0) {
      this.timer ??= setTimeout(fire, COLLECT_MS);
      return;
    }
    // Nothing is under way: what has come in this turn of the event loop goes out together, at once.
    this.timer ??= setImmediate(fire);
  }

  /** Orders for attempts whose claim is not answered yet: they are handed on with the grant, and nothing starts. */
  applyStops(orders: readonly StopOrder[]): void {
    for (const order of orders) {
      const claim = this.pending.get(keyOf(order));
      if (claim?.sent) {
        claim.stop = order.reason;
      } else if (claim) {
        this.drop(claim);
      }
    }
  }

  /** Resolves when an answer comes, or at once when none is awaited. */
  async nextAnswer(): Promise<void> {
    if (this.requests > 0) {
      await new Promise<void>((resolve) => this.settled.push(resolve));
    }
  }

  /** Sends nothing new; claims under way get `waitMs` for their answer. */
  async close(waitMs: number): Promise<void> {
    this.closed = true;
    clearTimeout(this.backlogTimer ?? undefined);
    const deadline = pause(waitMs, this.abort.signal);
    const idle = (async () => {
      while (this.requests > 0) {
        await this.nextAnswer();
      }
    })();
    await Promise.race([deadline, idle]);
    this.abort.abort();
  }

  private isRefused(ref: AttemptRef): boolean {
    const atMs = this.refusedAtMs.get(keyOf(ref));
    return atMs !== undefined && monotonicMs() - atMs < REFUSAL_HOLDS_MS;
  }

  private noteRefusal(ref: AttemptRef, reason: string): void {
    this.options.log.info({ attemptId: ref.attemptId, fence: ref.fence, reason }, 'claim refused');
    for (const [key, atMs] of this.refusedAtMs) {
      if (monotonicMs() - atMs < REFUSAL_HOLDS_MS) {
        break;
      }
      this.refusedAtMs.delete(key);
    }
    this.refusedAtMs.set(keyOf(ref), monotonicMs());
  }

  private send(): void {
    const all = [...this.pending.values()];
    const underWay = all.filter((claim) => claim.sent).length;
    const limit = Math.max(0, Math.min(MAX_CLAIMS, this.options.room() - underWay));
    const batch = all.filter((claim) => !claim.sent && !claim.dispatch.awaits).slice(0, limit);
    batch.push(...this.backlog.claimable(monotonicMs(), limit - batch.length));
    if (batch.length === 0 || this.closed) {
      return;
    }
    for (const claim of batch) {
      claim.sent = true;
      this.backlog.remove(claim);
    }
    this.requests += 1;
    void this.ask(batch).finally(() => {
      this.requests -= 1;
      for (const resolve of this.settled.splice(0)) {
        resolve();
      }
      this.pump();
    });
  }

  private async ask(batch: PendingClaim[]): Promise<void> {
    const { client, log } = this.options;
    const claims = batch.map(({ dispatch: { taskRunId, attemptId, fence, awaits }, claimId, carrier }) => ({
      taskRunId,
      attemptId,
      fence,
      claimId,
      carrier,
      ...(awaits ? { prefetched: true } : {}),
    }));
    for (let failures = 0; !this.abort.signal.aborted; failures += 1) {
      try {
        const signal = this.abort.signal;
        const answer = await client.request({
          method: 'POST',
          path: 'claims',
          body: { claims },
          answer: claimsAnswerSchema,
          timeoutMs: 10_000,
          signal,
        });
        this.settle(batch, answer);
        return;
      } catch (error) {
        if (error instanceof ServerAnswerError && error.status !== 401) {
          log.error({ error: error.message, claims: claims.length }, 'the server does not accept these claims; they are dropped');
          for (const { dispatch } of batch) {
            this.pending.delete(keyOf(dispatch));
          }
          return;
        }
        log.warn({ error: String(error), claims: claims.length }, 'no answer to claims, asking again with the same ids');
        await pause(backoffMs(failures, 50, 2000), this.abort.signal);
      }
    }
  }

  private settle(batch: PendingClaim[], answer: ClaimsAnswer): void {
    const results = new Map(answer.results.map((result) => [result.attemptId, result]));
    const withoutRoom = batch.filter(({ dispatch, stop }) => {
      const result = results.get(dispatch.attemptId);
      return stop === null && result?.granted === false && result.noRoom === true;
    });
    this.putBack(withoutRoom);
    for (const { dispatch, stop } of batch.filter((claim) => claim.sent)) {
      const result = results.get(dispatch.attemptId);
      this.pending.delete(keyOf(dispatch));
      if (result?.granted) {
        this.options.onGranted(dispatch, result.work, stop);
      } else {
        this.noteRefusal(dispatch, result?.reason ?? 'the server did not answer it');
      }
    }
  }

  private putBack(claims: PendingClaim[]): void {
    for (const claim of claims) {
      claim.sent = false;
    }
    if (claims.length > 0) {
      this.backlog.putBack(claims, monotonicMs());
      this.watchBacklog();
    }
  }

  private drop(claim: PendingClaim): void {
    this.pending.delete(keyOf(claim.dispatch));
    this.backlog.remove(claim);
  }

  /** What prefetched claims that are being asked will take here if they are granted. */
  private awaitedUnderWay(): NodeCapacity {
    const underWay = [...this.pending.values()].filter((claim) => claim.sent && claim.dispatch.awaits);
    return underWay.reduce((together, { dispatch }) => addResources(together, dispatch.awaits!), { ...noResources });
  }

  /** While something waits: asks again now and then, and forgets what the server has taken back by now. */
  private watchBacklog(): void {
    if (this.backlogTimer !== null || this.backlog.size === 0 || this.closed) {
      return;
    }
    this.backlogTimer = setTimeout(() => {
      this.backlogTimer = null;
      for (const claim of this.backlog.expire(monotonicMs())) {
        this.pending.delete(keyOf(claim.dispatch));
      }
      this.pump();
      this.watchBacklog();
    }, BACKLOG_LOOK_MS).unref();
  }
}

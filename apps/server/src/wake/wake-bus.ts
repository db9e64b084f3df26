import { Injectable } from '@nestjs/common';
import { type Observable, Subject } from 'rxjs';
import type { ChangeEvent } from './change-event.js';

/** A hint that a pass has something to do. `work` is for the long poll of one node. */
export type Wake =
  | { topic: 'place' | 'admit' | 'fire' | 'retry' | 'relay' | 'backfill' | 'unplaced' | 'watch' | 'upstream' }
  | { topic: 'work'; nodeId: string };

/** Where wake-ups go that other servers have to hear of. */
export interface WakePeers {
  send(wakes: readonly Wake[], changes: readonly ChangeEvent[]): void;
}

/**
 * Wakes the passes of this process at once and those of the other servers through `peers`. Wake-ups are hints: losing one costs an interval, never
 * correctness. Send them after the commit of what they speak of.
 */
@Injectable()
export class WakeBus {
  private readonly wakes = new Subject<Wake>();
  private readonly changesSubject = new Subject<readonly ChangeEvent[]>();
  private peers: WakePeers | null = null;

  /** Wake-ups of this and of other servers. */
  readonly heard: Observable<Wake> = this.wakes.asObservable();
  /** Changes made on this and on other servers, in batches. */
  readonly changes: Observable<readonly ChangeEvent[]> = this.changesSubject.asObservable();

  connect(peers: WakePeers): void {
    this.peers = peers;
  }

  place(): void {
    this.send({ topic: 'place' });
  }

  /** A run has a key and was created, or a run has ended: one that waits may start. */
  admit(): void {
    this.send({ topic: 'admit' });
  }

  fire(): void {
    this.send({ topic: 'fire' });
  }

  /** A run has succeeded that a schedule may wait for, or a schedule of upstreams was changed. */
  upstream(): void {
    this.send({ topic: 'upstream' });
  }

  retry(): void {
    this.send({ topic: 'retry' });
  }

  /** When a backfill began, or a run ended that may be one of a backfill. */
  backfill(): void {
    this.send({ topic: 'backfill' });
  }

  /** Task runs that no node gets have something to do. */
  unplaced(): void {
    this.send({ topic: 'unplaced' });
  }

  /** Wakes the relay of this server only: another one looks after its own dispatches. */
  relay(): void {
    this.wakes.next({ topic: 'relay' });
  }

  /** Wakes the looks of this server only: one of them is enough, and the others find what it leaves. */
  watch(): void {
    this.wakes.next({ topic: 'watch' });
  }

  /** Wakes the long poll of a node, wherever it is connected. */
  work(nodeId: string): void {
    this.send({ topic: 'work', nodeId });
  }

  /** Tells every console that these may look different now. */
  changed(events: readonly ChangeEvent[]): void {
    if (events.length === 0) return;
    this.changesSubject.next(events);
    this.peers?.send([], events);
  }

  /** What another server said. */
  hear(wakes: readonly Wake[], changes: readonly ChangeEvent[]): void {
    for (const wake of wakes) this.wakes.next(wake);
    if (changes.length > 0) this.changesSubject.next(changes);
  }

  private send(wake: Wake): void {
    this.wakes.next(wake);
    this.peers?.send([wake], []);
  }
}

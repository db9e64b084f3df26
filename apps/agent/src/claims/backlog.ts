import type { Dispatch, NodeCapacity } from '@medley/contracts';
import { addResources, noResources } from '@medley/core';

/** The server takes back long before what found no room; what is kept longer than this is not valid any more, or is handed out again. */
const KEPT_MS = 10_000;
/** After "no room yet" the next one is asked for when something ends here, or after this: what took the room may never come to this agent. */
const ASK_AGAIN_MS = 500;

export interface BacklogEntry {
  dispatch: Dispatch;
  sinceMs: number;
}

/**
 * Prefetched dispatches that wait on this node, in the order in which they came: none passes one before it. When one may be claimed is said by `fits`; whether it
 * really may, only the server knows.
 */
export class Backlog<Entry extends BacklogEntry> {
  private entries: Entry[] = [];
  private askAgainAtMs = 0;

  constructor(private readonly fits: (awaited: NodeCapacity) => boolean) {}

  get size(): number {
    return this.entries.length;
  }

  add(entry: Entry): void {
    this.entries.push(entry);
  }

  /** The entries that may be claimed now, at most so many; they stay until they are removed. */
  claimable(nowMs: number, limit: number): Entry[] {
    if (nowMs < this.askAgainAtMs) {
      return [];
    }
    const taken: Entry[] = [];
    let together: NodeCapacity = noResources;
    for (const entry of this.entries.slice(0, limit)) {
      together = addResources(together, entry.dispatch.awaits!);
      if (!this.fits(together)) {
        break;
      }
      taken.push(entry);
    }
    return taken;
  }

  /** The server had no room for these: nothing is asked for until something ends, or for a while. They keep their place at the head. */
  putBack(entries: readonly Entry[], nowMs: number): void {
    this.entries = [...entries, ...this.entries];
    this.askAgainAtMs = nowMs + ASK_AGAIN_MS;
  }

  /** Something has ended here: it is worth asking. */
  roomFreed(): void {
    this.askAgainAtMs = 0;
  }

  remove(entry: Entry): void {
    this.entries = this.entries.filter((each) => each !== entry);
  }

  /** Drops and returns what has been kept for too long. */
  expire(nowMs: number): Entry[] {
    const expired = this.entries.filter((entry) => nowMs - entry.sinceMs >= KEPT_MS);
    this.entries = this.entries.filter((entry) => nowMs - entry.sinceMs < KEPT_MS);
    return expired;
  }
}

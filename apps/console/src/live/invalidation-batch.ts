import type { QueryClient } from '@tanstack/vue-query';
import type { QueryKey } from '../api/query-keys.js';

/** At most one fetch per answer in this time, however many changes arrive. */
const FLUSH_MS = 800;

/**
 * Collects stale keys and refetches what is on screen, once per key and interval. A key whose fetch is under way waits for the
 * next flush: that fetch may have read the state from before the change.
 */
export class InvalidationBatch {
  readonly #pending = new Map<string, QueryKey>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #flushedAt = 0;

  constructor(
    private readonly client: QueryClient,
    private readonly now: () => number = () => performance.now(),
  ) {}

  add(keys: readonly QueryKey[]): void {
    for (const key of keys) this.#pending.set(key.join('\u0000'), key);
    this.#schedule();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pending.clear();
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#pending.size === 0) return;
    const wait = Math.max(60, this.#flushedAt + FLUSH_MS - this.now());
    this.#timer = setTimeout(() => this.#flush(), wait);
  }

  #flush(): void {
    this.#timer = undefined;
    this.#flushedAt = this.now();
    for (const [text, queryKey] of this.#pending) {
      if (this.client.isFetching({ queryKey }) > 0) continue;
      this.#pending.delete(text);
      void this.client.invalidateQueries({ queryKey }, { cancelRefetch: false });
    }
    this.#schedule();
  }
}

import type { ChangeEvent } from '@medley/contracts';

const COALESCE_MS = 200;
const COMMENT_MS = 15_000;
/** More changes than this at once are told as one: fetch everything again. */
const MAX_CHANGES = 500;
const FETCH_AGAIN = 'event: hello\ndata: {}\n\n';

/**
 * One client's events. The same thing changing many times within a moment is told once; while the client does not read, changes go on to be collected, so
 * that a slow one costs no more memory than a list of what changed.
 */
export class EventStream {
  private readonly pending = new Map<string, ChangeEvent>();
  private readonly closers: (() => void)[] = [];
  private flushTimer: NodeJS.Timeout | null = null;
  private readonly commentTimer: NodeJS.Timeout;
  private blocked = false;
  private closed = false;
  /** What is pending is of no use any more. */
  private anew = false;

  /** `write` answers false when the client has fallen behind; `drained` says that it has caught up. */
  constructor(private readonly write: (text: string) => boolean) {
    this.commentTimer = setInterval(() => !this.blocked && this.send(': still here\n\n'), COMMENT_MS);
    this.send(FETCH_AGAIN);
  }

  add(changes: readonly ChangeEvent[]): void {
    if (this.closed || changes.length === 0) return;
    for (const change of changes) if (this.pending.size <= MAX_CHANGES) this.pending.set(`${change.entity} ${change.id}`, change);
    this.flushTimer ??= setTimeout(() => this.flush(), COALESCE_MS);
  }

  /** Tells the client to fetch everything again, in place of what it has not been told yet. */
  startAnew(): void {
    if (this.closed) return;
    this.anew = true;
    this.flushTimer ??= setTimeout(() => this.flush(), COALESCE_MS);
  }

  drained(): void {
    this.blocked = false;
    if (!this.flushTimer) this.flush();
  }

  onClose(closer: () => void): void {
    this.closers.push(closer);
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    clearInterval(this.commentTimer);
    if (this.flushTimer) clearTimeout(this.flushTimer);
    for (const closer of this.closers) closer();
  }

  private flush(): void {
    this.flushTimer = null;
    if (this.blocked || (this.pending.size === 0 && !this.anew)) return;
    const text =
      this.anew || this.pending.size > MAX_CHANGES
        ? FETCH_AGAIN
        : `event: changed\ndata: ${JSON.stringify([...this.pending.values()])}\n\n`;
    this.pending.clear();
    this.anew = false;
    this.send(text);
  }

  private send(text: string): void {
    this.blocked = !this.write(text);
  }
}

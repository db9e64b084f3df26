import type { ChangeEvent } from '@medley/contracts';

const COALESCE_MS = 200;
const COMMENT_MS = 15_000;
/** More changes than this at once are told as one: fetch everything again. */
const MAX_CHANGES = 500;

/**
 * One client's events: the same thing changing many times within a moment is told once. A client too slow to read is dropped by `write` answering false
 * while the last event is still unread; it reconnects and fetches again.
 */
export class EventStream {
  private readonly pending = new Map<string, ChangeEvent>();
  private readonly closers: (() => void)[] = [];
  private flushTimer: NodeJS.Timeout | null = null;
  private readonly commentTimer: NodeJS.Timeout;
  private closed = false;

  constructor(private readonly write: (text: string) => boolean) {
    this.commentTimer = setInterval(() => this.send(': still here\n\n'), COMMENT_MS);
  }

  add(changes: readonly ChangeEvent[]): void {
    if (this.closed) return;
    for (const change of changes) if (this.pending.size <= MAX_CHANGES) this.pending.set(`${change.entity} ${change.id}`, change);
    this.flushTimer ??= setTimeout(() => this.flush(), COALESCE_MS);
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
    const text =
      this.pending.size > MAX_CHANGES
        ? 'event: hello\ndata: {}\n\n'
        : `event: changed\ndata: ${JSON.stringify([...this.pending.values()])}\n\n`;
    this.pending.clear();
    this.send(text);
  }

  private send(text: string): void {
    if (!this.write(text)) this.close();
  }
}

/** What a bench says to the process of a peer. */
export interface PeerOrder {
  /** A producer adds so many jobs; a worker answers once it has done so many. */
  count: number;
}

/** What the process of a peer says back; instants are milliseconds since 1970. */
export type PeerAnswer = { ready: true } | { fromMs: number; untilMs: number };

/** Milliseconds since 1970 with fractions; comparable between processes of one machine. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

/** Says that this process is ready, hands it the orders one by one, and ends it when the bench is gone. */
export function servePeer(onOrder: (order: PeerOrder) => Promise<void>): void {
  process.on('disconnect', () => process.exit(0));
  process.on('message', (order) => {
    const fromMs = nowMs();
    void onOrder(order as PeerOrder).then(() => answer({ fromMs, untilMs: nowMs() }));
  });
  answer({ ready: true });
}

function answer(message: PeerAnswer): void {
  process.send?.(message);
}

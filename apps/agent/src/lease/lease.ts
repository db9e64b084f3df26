import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';

const storedLeaseSchema = z.object({ renewedAtMs: z.number(), leaseSeconds: z.number(), machineBootId: z.string() });

/**
 * How long this node may keep its attempts, by the monotonic clock and counted from the *sending* of the last heartbeat that was answered:
 * the server counts from its receipt, which is later, so the agent always gives up first.
 */
export class Lease {
  private renewedAtMs: number | null = null;
  private leaseMs = 0;

  constructor(
    private readonly path: string,
    private readonly machineBootId: string,
  ) {}

  /** What the agent before this one knew; an adopted attempt must not gain time by a restart. */
  async restore(): Promise<void> {
    try {
      const stored = storedLeaseSchema.parse(JSON.parse(await readFile(this.path, 'utf8')));
      if (stored.machineBootId === this.machineBootId) {
        this.renewedAtMs = stored.renewedAtMs;
        this.leaseMs = stored.leaseSeconds * 1000;
      }
    } catch {
      // First start, or a write that a crash cut off: no lease is known until the session begins.
    }
  }

  /** An answer to what was sent at `sentAtMs` has come. */
  async renew(sentAtMs: number, leaseSeconds: number): Promise<void> {
    this.renewedAtMs = Math.max(sentAtMs, this.renewedAtMs ?? sentAtMs);
    this.leaseMs = leaseSeconds * 1000;
    const stored = { renewedAtMs: this.renewedAtMs, leaseSeconds, machineBootId: this.machineBootId };
    await writeFile(this.path, JSON.stringify(stored), { mode: 0o600 }).catch(() => {
      // A full disk: the lease in memory holds; only a restart in this state would not know it.
    });
  }

  /** Time kept free for stopping: at most 5 s, at most a quarter of the lease. */
  get marginMs(): number {
    return Math.min(5000, this.leaseMs / 4);
  }

  /** Whether work that must stop with the lease has to be stopped now. False while no lease is known. */
  isRunningOut(nowMs: number): boolean {
    return this.renewedAtMs !== null && nowMs >= this.renewedAtMs + this.leaseMs - this.marginMs;
  }

  /** Milliseconds a stop may take and still end before the lease, with a fifth of the margin in hand for the kill itself. */
  graceLeftMs(nowMs: number): number {
    return this.renewedAtMs === null ? 0 : Math.max(0, this.renewedAtMs + this.leaseMs - this.marginMs / 5 - nowMs);
  }
}

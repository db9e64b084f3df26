import { sendSignal } from '../process-tree.js';
import type { MemberRow, TreeSampler } from './tree-sampler.js';
import type { Watchdog } from './watchdog.js';

/** How long to look, without letting go of the event loop, for parents to be really stopped; usually that is a matter of microseconds. */
const SPIN_MS = 1;
/** After this long the children of a parent that does not stop (it waits for a disk) are stopped all the same. */
const ORDER_PATIENCE_MS = 200;

/**
 * The processes that are stopped by this agent and by nobody else. One that a task has stopped itself is left alone and is not continued.
 *
 * A shell with job control watches its children for being stopped. It must not see ours: parents are stopped before their children and continued
 * after them, so that nobody is awake to see a stopped child.
 */
export class HeldProcesses {
  /** pid → attempt, in the order of stopping. */
  private readonly held = new Map<number, string>();
  /** Since when some of what is to be held waits for its parent. */
  private lateSinceMs: number | null = null;

  constructor(
    private readonly sampler: TreeSampler,
    private readonly watchdog: Watchdog,
  ) {}

  get attempts(): Set<string> {
    return new Set(this.held.values());
  }

  /**
   * Stops these members, as far as they are not; what the watchdog cannot be told of is not stopped. False when some are to be stopped a little
   * later, since their parents are still awake.
   */
  hold(rows: readonly MemberRow[]): boolean {
    const awake = parentsFirst(rows).filter(({ isStopped, isZombie }) => !isStopped && !isZombie);
    const fresh = awake.filter(({ pid }) => !this.held.has(pid)).map(({ pid }) => pid);
    if (awake.length === 0) this.lateSinceMs = null;
    if (awake.length === 0 || !this.watchdog.note([...this.held.keys(), ...fresh])) return true;
    const members = new Set(rows.map(({ pid }) => pid));
    const parents = new Set(rows.map(({ parentPid }) => parentPid));
    const now = performance.now();
    const mayWait = this.lateSinceMs === null || now - this.lateSinceMs < ORDER_PATIENCE_MS;
    const late = awake.filter((row) => {
      if (mayWait && members.has(row.parentPid) && this.sampler.isStopped(row.parentPid) === false) return true;
      this.stop(row);
      if (parents.has(row.pid)) while (this.sampler.isStopped(row.pid) === false && performance.now() < now + SPIN_MS);
      return false;
    });
    this.lateSinceMs = late.length > 0 ? (this.lateSinceMs ?? now) : null;
    return late.length === 0;
  }

  private stop({ pid, attemptId }: MemberRow): void {
    if (this.sampler.isStopped(pid) === true) return;
    sendSignal(pid, 'SIGSTOP');
    this.held.set(pid, attemptId);
  }

  /** Continues what is held of attempts that `still` does not name. */
  releaseAllBut(still: ReadonlySet<string>): void {
    const going = [...this.held].filter(([, attemptId]) => !still.has(attemptId)).map(([pid]) => pid);
    if (going.length === 0) return;
    for (const pid of going.reverse()) {
      sendSignal(pid, 'SIGCONT');
      this.held.delete(pid);
    }
    this.watchdog.note([...this.held.keys()]);
    this.lateSinceMs = null;
  }
}

/** Parents before their children. */
export function parentsFirst(rows: readonly MemberRow[]): MemberRow[] {
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const depths = new Map<number, number>();
  const depthOf = (row: MemberRow): number => {
    const known = depths.get(row.pid);
    if (known !== undefined) return known;
    depths.set(row.pid, 0);
    const parent = byPid.get(row.parentPid);
    const depth = parent === undefined ? 0 : 1 + depthOf(parent);
    depths.set(row.pid, depth);
    return depth;
  };
  return rows.toSorted((left, right) => depthOf(left) - depthOf(right));
}

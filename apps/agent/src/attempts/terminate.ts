import { pause } from '../backoff.js';
import { monotonicMs } from '../clock.js';
import type { ProcessTree, TreeTarget } from './process-tree.js';

/**
 * Ends the whole tree: TERM, up to `graceMs` for it to go by itself, then KILL until a look at the machine finds none of it. Resolves only
 * then; a process the kernel does not let go of (disk sleep) keeps it waiting, and its resources taken.
 */
export async function terminateTree(tree: ProcessTree, target: () => TreeTarget, graceMs: number): Promise<void> {
  let members = await tree.members(target());
  if (members.length === 0) {
    return;
  }
  const killAtMs = monotonicMs() + graceMs;
  if (graceMs > 0) {
    await tree.signal(target(), members, 'SIGTERM');
  }
  let waitMs = 10;
  while (members.length > 0) {
    const leftMs = killAtMs - monotonicMs();
    if (leftMs <= 0) {
      await tree.signal(target(), members, 'SIGKILL');
    }
    await pause(leftMs > 0 ? Math.min(waitMs, leftMs) : waitMs);
    waitMs = Math.min(waitMs * 1.5, 200);
    members = await tree.members(target());
  }
}

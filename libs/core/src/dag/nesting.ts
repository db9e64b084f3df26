/** That a version of a workflow runs a version of another; versions are named by texts of the caller. */
export interface WorkflowCall {
  from: string;
  to: string;
}

/** How deep workflows run each other below `root`: 0 where it runs none. Versions that lead back to themselves count as `limit` + 1. */
export function nestingBelow(root: string, calls: readonly WorkflowCall[], limit: number): number {
  const behind = calledBy(calls);
  let level = new Set([root]);
  for (let depth = 0; depth <= limit; depth++) {
    const next = new Set([...level].flatMap((each) => behind.get(each) ?? []));
    if (next.size === 0) return depth;
    level = next;
  }
  return limit + 1;
}

/** The shortest way from `root` to a version that `isWanted`, both ends included; null when there is none. */
export function pathTo(root: string, calls: readonly WorkflowCall[], isWanted: (version: string) => boolean): string[] | null {
  const behind = calledBy(calls);
  const cameFrom = new Map<string, string | null>([[root, null]]);
  const queue = [root];
  for (const each of queue) {
    for (const next of behind.get(each) ?? []) {
      if (isWanted(next)) return [...wayTo(each, cameFrom), next];
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, each);
      queue.push(next);
    }
  }
  return null;
}

function wayTo(version: string, cameFrom: ReadonlyMap<string, string | null>): string[] {
  const way: string[] = [];
  for (let each: string | null = version; each !== null; each = cameFrom.get(each) ?? null) way.unshift(each);
  return way;
}

function calledBy(calls: readonly WorkflowCall[]): Map<string, string[]> {
  const behind = new Map<string, string[]>();
  for (const { from, to } of calls) behind.set(from, [...(behind.get(from) ?? []), to]);
  return behind;
}

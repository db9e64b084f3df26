import type { DagTask, RunAttempt, TaskRunItem } from '@medley/contracts';
import type { AttemptState, RunState, TaskRunState } from '@medley/core';

/** A span of a task's time in milliseconds; `to` is null while it goes on. What runs bears the state of its attempt. */
export interface GanttBar {
  kind: 'waiting' | 'retry-wait' | 'running';
  from: number;
  to: number | null;
  attempt: RunAttempt | null;
  /** Of a task that runs a workflow: its run. */
  child?: NonNullable<TaskRunItem['child']>;
}

export interface GanttRow {
  key: string;
  state: TaskRunState;
  bars: GanttBar[];
  /** On the chain of tasks that determined when the run ended. */
  isCritical: boolean;
}

const time = (at: string | null): number | null => (at === null ? null : Date.parse(at));

/** Tasks that have begun to wait or run, in the order in which they began; waiting stands apart from running, and each attempt by itself. */
export function ganttRows(
  dag: readonly DagTask[],
  items: readonly TaskRunItem[],
  attempts: readonly RunAttempt[],
  startedAt: number,
): GanttRow[] {
  const byTask = new Map<string, RunAttempt[]>();
  for (const attempt of attempts) byTask.set(attempt.taskKey, [...(byTask.get(attempt.taskKey) ?? []), attempt]);
  const parents = parentsOf(dag);
  const ends = new Map(items.map((item) => [item.key, time(item.finishedAt)]));
  const critical = criticalPath(parents, ends);
  const rows = items.flatMap((item) => {
    const readyAt = Math.max(startedAt, ...(parents.get(item.key) ?? []).map((key) => ends.get(key) ?? 0));
    const bars = barsOf(item, byTask.get(item.key) ?? [], readyAt);
    return bars.length === 0 ? [] : [{ key: item.key, state: item.state, bars, isCritical: critical.has(item.key) }];
  });
  return rows.sort((left, right) => left.bars[0]!.from - right.bars[0]!.from);
}

function parentsOf(dag: readonly DagTask[]): Map<string, string[]> {
  return new Map(dag.map((task) => [task.key, task.needs.map((need) => need.task)]));
}

/** A task's `readyAt` is that of its latest try, so the first wait is counted from what the task waited for. */
function barsOf(item: TaskRunItem, attempts: readonly RunAttempt[], readyAt: number): GanttBar[] {
  if (item.child && item.startedAt !== null)
    return [{ kind: 'running', from: Date.parse(item.startedAt), to: time(item.finishedAt), attempt: null, child: item.child }];
  const bars: GanttBar[] = [];
  let waitsFrom: number | null = attempts.length > 0 ? readyAt : time(item.readyAt);
  for (const [index, attempt] of attempts.entries()) {
    const dispatchedAt = Date.parse(attempt.dispatchedAt);
    if (index > 0 && waitsFrom !== null && dispatchedAt > waitsFrom) {
      bars.push({ kind: 'retry-wait', from: waitsFrom, to: dispatchedAt, attempt });
      waitsFrom = dispatchedAt;
    }
    const claimedAt = time(attempt.claimedAt);
    const finishedAt = time(attempt.finishedAt);
    if (waitsFrom !== null)
      bars.push({ kind: 'waiting', from: Math.min(waitsFrom, claimedAt ?? waitsFrom), to: claimedAt ?? finishedAt, attempt });
    if (claimedAt !== null) bars.push({ kind: 'running', from: claimedAt, to: finishedAt, attempt });
    waitsFrom = finishedAt;
  }
  const isOpen = item.finishedAt === null && attempts.at(-1)?.finishedAt !== null;
  if (isOpen && waitsFrom !== null && item.state !== 'waiting')
    bars.push({ kind: item.state === 'retry-wait' ? 'retry-wait' : 'waiting', from: waitsFrom, to: null, attempt: null });
  return bars;
}

/** From the task that ended last back over the parent that ended last each time. */
export function criticalPath(
  parents: ReadonlyMap<string, readonly string[]>,
  ends: ReadonlyMap<string, number | null>,
): ReadonlySet<string> {
  const latest = (keys: Iterable<string>): string | null => {
    let found: string | null = null;
    for (const key of keys) {
      const end = ends.get(key);
      if (end !== null && end !== undefined && (found === null || end > ends.get(found)!)) found = key;
    }
    return found;
  };
  const path = new Set<string>();
  for (let at = latest(ends.keys()); at !== null && !path.has(at); at = latest(parents.get(at) ?? [])) path.add(at);
  return path;
}

/** The span that all rows take together; `now` ends what goes on. */
export function spanOf(rows: readonly GanttRow[], now: number): { from: number; to: number } {
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (const { bars } of rows) {
    for (const bar of bars) {
      from = Math.min(from, bar.from);
      to = Math.max(to, bar.to ?? now);
    }
  }
  return rows.length === 0 ? { from: now - 1000, to: now } : { from, to: Math.max(to, from + 100) };
}

const steps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5, 108e5, 216e5, 432e5, 864e5,
];

/** Offsets from the start of the run at which the axis is marked, at most `most` of them. */
export function ticksOf(from: number, to: number, most: number): number[] {
  const step = steps.find((each) => (to - from) / each <= most) ?? Math.ceil((to - from) / most / 864e5) * 864e5;
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, index) => first + index * step);
}

export function stateOf(bar: GanttBar): AttemptState | RunState | 'waiting' | 'retry-wait' {
  if (bar.kind !== 'running') return bar.kind;
  return bar.child?.state ?? bar.attempt!.state;
}

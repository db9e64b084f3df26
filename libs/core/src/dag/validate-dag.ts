import { nearestName } from '../naming/index.js';
import { hintOf, type Phrase, phrase } from '../phrases/index.js';
import { type Dag, type DagTask, indexDag, parentsOf, topologicalOrder } from './dag-task.js';

export type DagFault =
  | { kind: 'empty'; text: Phrase }
  | { kind: 'duplicate-task'; task: string; text: Phrase }
  | { kind: 'self-need'; task: string; text: Phrase }
  | { kind: 'final-need'; task: string; need: string; text: Phrase }
  | { kind: 'unknown-need'; task: string; need: string; nearest: string | null; text: Phrase }
  | { kind: 'cycle'; task: string; path: string[]; text: Phrase };

/** A file made of mistakes should not cost a search for the nearest name for each of them. */
const maxSuggestions = 25;
const maxCycles = 10;
const maxPathShown = 12;

/** Every fault that keeps a set of tasks from being a DAG; empty when it is one. Cycles are told as their path, `a → b → a`. */
export function validateDag(tasks: readonly DagTask[]): DagFault[] {
  if (tasks.every((task) => task.isFinal)) return [{ kind: 'empty', text: phrase('no-task') }];
  const dag = indexDag(tasks);
  return [...duplicateFaults(tasks), ...needFaults(tasks, dag), ...cycleFaults(dag)];
}

function duplicateFaults(tasks: readonly DagTask[]): DagFault[] {
  const seen = new Set<string>();
  const faults: DagFault[] = [];
  for (const { key } of tasks) {
    if (seen.has(key)) faults.push({ kind: 'duplicate-task', task: key, text: phrase('task-twice', { task: key }) });
    seen.add(key);
  }
  return faults;
}

function needFaults(tasks: readonly DagTask[], dag: Dag): DagFault[] {
  const faults: DagFault[] = [];
  for (const task of tasks) {
    for (const need of parentsOf(task)) {
      if (need === task.key) {
        faults.push({ kind: 'self-need', task: task.key, text: phrase('need-self', { task: task.key }) });
      } else if (!dag.tasks.has(need)) {
        const nearest = faults.length < maxSuggestions ? nearestName(need, dag.tasks.keys()) : null;
        const text = phrase('need-unknown', { task: task.key, need, hint: hintOf(nearest) });
        faults.push({ kind: 'unknown-need', task: task.key, need, nearest, text });
      } else if (dag.tasks.get(need)!.isFinal && !task.isFinal) {
        faults.push({ kind: 'final-need', task: task.key, need, text: phrase('need-final', { task: task.key, need }) });
      }
    }
  }
  return faults;
}

function cycleFaults(dag: Dag): DagFault[] {
  const sound = new Set(topologicalOrder(dag));
  const faults: DagFault[] = [];
  const visited = new Set<string>(sound);
  for (const start of dag.tasks.keys()) {
    if (faults.length >= maxCycles) break;
    const path = visited.has(start) ? null : cycleAbove(dag, start, visited);
    if (path === null) continue;
    const text = phrase('need-cycle', { path: shorten(path).join(' → ') });
    faults.push({ kind: 'cycle', task: path[0]!, path, text });
  }
  return faults;
}

/**
 * Walks down from a task that topological order did not reach, along children that it did not reach either, until a task comes
 * again. Marks what it saw, so that each cycle is told once. Null when the walk ends without meeting itself.
 */
function cycleAbove(dag: Dag, start: string, visited: Set<string>): string[] | null {
  const stack = [{ key: start, next: 0 }];
  const depth = new Map([[start, 0]]);
  visited.add(start);
  while (stack.length > 0) {
    const top = stack.at(-1)!;
    const child = dag.children.get(top.key)![top.next++];
    if (child === undefined) {
      depth.delete(top.key);
      stack.pop();
    } else if (depth.has(child)) {
      if (child === top.key) continue; // a self need is reported as such
      return [...stack.slice(depth.get(child)!).map((frame) => frame.key), child];
    } else if (!visited.has(child)) {
      visited.add(child);
      depth.set(child, stack.length);
      stack.push({ key: child, next: 0 });
    }
  }
  return null;
}

function shorten(path: string[]): string[] {
  if (path.length <= maxPathShown) return path;
  const half = maxPathShown / 2;
  return [...path.slice(0, half), `… (+${path.length - maxPathShown})`, ...path.slice(-half)];
}

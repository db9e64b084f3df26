import { isTerminalTaskRunState, type TaskRunState } from '../runs/index.js';
import type { Dag, DagTask, NeedCondition } from './dag-task.js';

/** Why a task is passed over: in English, and the needs that did not hold, the first few of them. */
export interface UnmetNeeds {
  text: string;
  values: { mode: 'all' | 'any'; parents: UnmetNeed[]; more: number };
}

export interface UnmetNeed {
  key: string;
  state: TaskRunState;
  needed: NeedCondition;
}

/** `wait`: not decided yet. `skip`: the needs can no longer hold. */
export type Readiness = 'wait' | 'ready' | { skip: UnmetNeeds };

/** The states of a run's tasks by key; a task that is missing counts as not ended. */
export type TaskRunStates = ReadonlyMap<string, TaskRunState>;

/**
 * Whether a task may start, from the states of all its parents. `all` is skipped as soon as one condition can no longer hold;
 * `any` is ready as soon as one holds and skipped when all parents ended without one. Skipping spreads to those that need
 * success, not through `done`.
 */
export function evaluateReadiness(task: DagTask, states: TaskRunStates): Readiness {
  const conditions = Object.entries(task.needs.conditions);
  if (conditions.length === 0) return 'ready';
  let open = 0;
  const missed: UnmetNeed[] = [];
  for (const [parent, condition] of conditions) {
    const state = states.get(parent);
    if (state === undefined || !isTerminalTaskRunState(state)) open++;
    else if (!holds(condition, state)) missed.push({ key: parent, state, needed: condition });
    else if (task.needs.mode === 'any') return 'ready';
  }
  if (task.needs.mode === 'all' && missed.length > 0) return { skip: unmet('all', missed) };
  if (open > 0) return 'wait';
  return missed.length === 0 ? 'ready' : { skip: unmet('any', missed) };
}

function holds(condition: NeedCondition, ended: TaskRunState): boolean {
  return condition === 'done' || condition === ended;
}

const MOST_TOLD = 3;

function unmet(mode: 'all' | 'any', missed: readonly UnmetNeed[]): UnmetNeeds {
  const text = mode === 'all' ? inWords(missed[0]!) : `none of its needs held: ${tellFew(missed)}`;
  return { text, values: { mode, parents: missed.slice(0, MOST_TOLD), more: Math.max(0, missed.length - MOST_TOLD) } };
}

function inWords({ key, state, needed }: UnmetNeed): string {
  return `${key} ${state === 'skipped' || state === 'cancelled' ? `was ${state}` : state}, needed: ${needed}`;
}

function tellFew(missed: readonly UnmetNeed[]): string {
  const shown = missed.slice(0, MOST_TOLD).map(inWords).join('; ');
  return missed.length > MOST_TOLD ? `${shown}; and ${missed.length - MOST_TOLD} more` : shown;
}

export type ChildDecision = { key: string; next: 'ready' } | { key: string; next: 'skipped'; reason: UnmetNeeds };

/**
 * What becomes of the tasks behind those that ended, in an order in which each may be written: skipping ends a task too, so its
 * children follow in the same answer. Only `waiting` tasks are decided, which makes it safe to repeat. Final tasks behind others are
 * left to `evaluateFinals`, since they wait for all.
 */
export function evaluateChildren(dag: Dag, states: TaskRunStates, ended: Iterable<string>): ChildDecision[] {
  const current = new Map(states);
  const decisions: ChildDecision[] = [];
  const queue = [...ended];
  const asked = new Set<string>();
  const enqueue = (key: string) => {
    for (const child of dag.children.get(key) ?? []) {
      if (current.get(child) === 'waiting' && isAskedBy(dag, key, child)) asked.add(child);
    }
  };
  for (const key of queue) enqueue(key);
  for (const key of asked) {
    asked.delete(key); // asked again when another parent is skipped
    const decision = decide(dag.tasks.get(key)!, current);
    if (decision === null) continue;
    decisions.push(decision);
    current.set(key, decision.next);
    if (decision.next === 'skipped') enqueue(key);
  }
  return decisions;
}

/** A final task asks again when another final one ended; of those that end before, it knows when all have. */
function isAskedBy(dag: Dag, parent: string, child: string): boolean {
  return !dag.tasks.get(child)?.isFinal || dag.tasks.get(parent)?.isFinal === true;
}

/** What becomes of the waiting final tasks once every other task has ended. The caller knows that they have. */
export function evaluateFinals(dag: Dag, states: TaskRunStates): ChildDecision[] {
  return evaluateEach(dag, states, dag.finals);
}

/** The same for every waiting task of a run: its start, and the reconcile pass after a crash. */
export function evaluateWaiting(dag: Dag, states: TaskRunStates): ChildDecision[] {
  const others = [...dag.tasks.values()].filter((task) => !task.isFinal).map((task) => task.key);
  const decisions = evaluateEach(dag, states, others);
  if (dag.finals.length === 0) return decisions;
  const current = new Map([...states, ...decisions.map(({ key, next }) => [key, next] as const)]);
  return allEnded(others, current) ? [...decisions, ...evaluateFinals(dag, current)] : decisions;
}

/** Whether all of these tasks have ended; one whose state is missing has not. */
export function allEnded(keys: Iterable<string>, states: TaskRunStates): boolean {
  for (const key of keys) if (!isTerminalTaskRunState(states.get(key) ?? 'waiting')) return false;
  return true;
}

/** Waiting tasks among these that can be decided from the states as they are, and what follows from skipping them. */
function evaluateEach(dag: Dag, states: TaskRunStates, keys: readonly string[]): ChildDecision[] {
  const current = new Map(states);
  const direct = keys.flatMap((key) => {
    const decision = current.get(key) === 'waiting' ? decide(dag.tasks.get(key)!, states) : null;
    return decision ?? [];
  });
  for (const { key, next } of direct) current.set(key, next);
  const skipped = direct.filter(({ next }) => next === 'skipped').map(({ key }) => key);
  return [...direct, ...evaluateChildren(dag, current, skipped)];
}

function decide(task: DagTask, states: TaskRunStates): ChildDecision | null {
  const readiness = evaluateReadiness(task, states);
  if (readiness === 'wait') return null;
  if (readiness === 'ready') return { key: task.key, next: 'ready' };
  return { key: task.key, next: 'skipped', reason: readiness.skip };
}

import { nextState, type StateTable, statesAccepting, terminalStatesOf } from './state-table.js';

export type TaskRunState =
  | 'waiting'
  | 'ready'
  | 'blocked'
  | 'dispatched'
  | 'running'
  | 'retry-wait'
  | 'succeeded'
  | 'failed'
  | 'skipped'
  | 'cancelled';

/**
 * `release`: the needs hold, or the retry delay is over. `block`: it could not be placed, with a reason; repeated when the reason
 * changes. `withdraw`: a dispatch that nobody claimed is taken back, without costing an attempt of the retry budget.
 * `fail` without having run: no node could ever hold it. `begin`: a task run that holds no slot goes to work without being dispatched.
 * `pass-over`: its needs hold, and its own condition does not.
 */
export type TaskRunEvent =
  | 'release'
  | 'skip'
  | 'pass-over'
  | 'begin'
  | 'block'
  | 'unblock'
  | 'dispatch'
  | 'withdraw'
  | 'claim'
  | 'retry'
  | 'succeed'
  | 'fail'
  | 'cancel';

export const taskRunTransitions: StateTable<TaskRunState, TaskRunEvent> = {
  waiting: { release: 'ready', skip: 'skipped', cancel: 'cancelled' },
  ready: { block: 'blocked', dispatch: 'dispatched', begin: 'running', 'pass-over': 'skipped', fail: 'failed', cancel: 'cancelled' },
  blocked: { block: 'blocked', unblock: 'ready', dispatch: 'dispatched', begin: 'running', fail: 'failed', cancel: 'cancelled' },
  dispatched: { claim: 'running', withdraw: 'ready', retry: 'retry-wait', fail: 'failed', cancel: 'cancelled' },
  running: { retry: 'retry-wait', succeed: 'succeeded', fail: 'failed', cancel: 'cancelled' },
  'retry-wait': { release: 'ready', cancel: 'cancelled' },
  succeeded: {},
  failed: {},
  skipped: {},
  cancelled: {},
};

export const taskRunStates = Object.keys(taskRunTransitions) as TaskRunState[];
export const terminalTaskRunStates = terminalStatesOf(taskRunTransitions);

/** The task run's next state, or null when the event is illegal. */
export function nextTaskRunState(state: TaskRunState, event: TaskRunEvent): TaskRunState | null {
  return nextState(taskRunTransitions, state, event);
}

/** The task run states in which an event is legal. */
export function taskRunStatesAccepting(event: TaskRunEvent): TaskRunState[] {
  return statesAccepting(taskRunTransitions, event);
}

export function isTerminalTaskRunState(state: TaskRunState): boolean {
  return terminalTaskRunStates.has(state);
}

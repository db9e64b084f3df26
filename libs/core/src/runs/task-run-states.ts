import { nextState, type StateTable, statesAccepting, terminalStatesOf } from './state-table.js';

export type TaskRunState =
  | 'waiting'
  | 'ready'
  | 'blocked'
  | 'dispatched'
  | 'running'
  | 'retry-wait'
  | 'paused'
  | 'succeeded'
  | 'failed'
  | 'skipped'
  | 'cancelled';

/**
 * `release`: the needs hold, or the retry delay is over. `block`: it could not be placed, with a reason; repeated when the reason
 * changes. `withdraw`: a dispatch that nobody claimed is taken back, without costing an attempt of the retry budget.
 * `fail` without having run: no node could ever hold it. `begin`: a task run that holds no slot goes to work without being dispatched.
 * `pass-over`: its needs hold, and its own condition does not.
 * `pause`: its run was paused before it ran. `await-resume`: in a paused run its needs came to hold, or a retry is due. `resume`: its run goes on;
 * `resume-delayed`: and its retry delay is not over. `mark-…`: someone decided how it ends; what runs is stopped first.
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
  | 'cancel'
  | 'pause'
  | 'await-resume'
  | 'resume'
  | 'resume-delayed'
  | 'mark-succeeded'
  | 'mark-failed'
  | 'mark-skipped';

const marks = { 'mark-succeeded': 'succeeded', 'mark-failed': 'failed', 'mark-skipped': 'skipped' } as const;

export const taskRunTransitions: StateTable<TaskRunState, TaskRunEvent> = {
  waiting: { release: 'ready', 'await-resume': 'paused', skip: 'skipped', cancel: 'cancelled', ...marks },
  ready: {
    block: 'blocked',
    dispatch: 'dispatched',
    begin: 'running',
    'pass-over': 'skipped',
    pause: 'paused',
    fail: 'failed',
    cancel: 'cancelled',
    ...marks,
  },
  blocked: {
    block: 'blocked',
    unblock: 'ready',
    dispatch: 'dispatched',
    begin: 'running',
    pause: 'paused',
    fail: 'failed',
    cancel: 'cancelled',
    ...marks,
  },
  dispatched: {
    claim: 'running',
    withdraw: 'ready',
    retry: 'retry-wait',
    pause: 'paused',
    fail: 'failed',
    cancel: 'cancelled',
    ...marks,
  },
  running: { retry: 'retry-wait', 'await-resume': 'paused', succeed: 'succeeded', fail: 'failed', cancel: 'cancelled', ...marks },
  'retry-wait': { release: 'ready', pause: 'paused', cancel: 'cancelled', ...marks },
  paused: { resume: 'ready', 'resume-delayed': 'retry-wait', cancel: 'cancelled', ...marks },
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

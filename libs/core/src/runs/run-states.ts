import { nextState, type StateTable, statesAccepting, terminalStatesOf } from './state-table.js';

export type RunState = 'queued' | 'running' | 'paused' | 'cancelling' | 'succeeded' | 'failed' | 'cancelled';

/**
 * `start`: the first attempt was claimed. `succeed`, `fail`, `end-cancelled`: every task run has ended (see `finalRunState`).
 * A queued run may end without having started: a task that no node could ever hold fails at once. `requeue`: resumed before it had started.
 */
export type RunEvent = 'start' | 'pause' | 'resume' | 'requeue' | 'cancel' | 'succeed' | 'fail' | 'end-cancelled';

const ending = { succeed: 'succeeded', fail: 'failed', 'end-cancelled': 'cancelled' } as const;

export const runTransitions: StateTable<RunState, RunEvent> = {
  queued: { start: 'running', pause: 'paused', cancel: 'cancelling', ...ending },
  running: { pause: 'paused', cancel: 'cancelling', ...ending },
  paused: { resume: 'running', requeue: 'queued', cancel: 'cancelling', ...ending },
  cancelling: { ...ending },
  succeeded: {},
  failed: {},
  cancelled: {},
};

export const runStates = Object.keys(runTransitions) as RunState[];
export const terminalRunStates = terminalStatesOf(runTransitions);

/** The run's next state, or null when the event is illegal. */
export function nextRunState(state: RunState, event: RunEvent): RunState | null {
  return nextState(runTransitions, state, event);
}

/** The run states in which an event is legal. */
export function runStatesAccepting(event: RunEvent): RunState[] {
  return statesAccepting(runTransitions, event);
}

export function isTerminalRunState(state: RunState): boolean {
  return terminalRunStates.has(state);
}

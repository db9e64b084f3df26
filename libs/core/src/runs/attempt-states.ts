import { nextState, type StateTable, statesAccepting, terminalStatesOf } from './state-table.js';

export type AttemptState = 'dispatched' | 'running' | 'stopping' | 'succeeded' | 'failed' | 'timed_out' | 'cancelled' | 'lost';

/**
 * `stop`: the server wants it to end (cancel or timeout). `cancel`: verified as stopped, or withdrawn before anyone claimed it.
 * `lose`: its node is fenced off, or no longer knows it.
 */
export type AttemptEvent = 'claim' | 'stop' | 'succeed' | 'fail' | 'time-out' | 'cancel' | 'lose';

/** A stopping attempt cannot succeed: work that outran its timeout or was cancelled is never stored as a success. */
export const attemptTransitions: StateTable<AttemptState, AttemptEvent> = {
  dispatched: { claim: 'running', cancel: 'cancelled', lose: 'lost' },
  running: { stop: 'stopping', succeed: 'succeeded', fail: 'failed', 'time-out': 'timed_out', cancel: 'cancelled', lose: 'lost' },
  stopping: { fail: 'failed', 'time-out': 'timed_out', cancel: 'cancelled', lose: 'lost' },
  succeeded: {},
  failed: {},
  timed_out: {},
  cancelled: {},
  lost: {},
};

export const attemptStates = Object.keys(attemptTransitions) as AttemptState[];
export const terminalAttemptStates = terminalStatesOf(attemptTransitions);

/** The attempt's next state, or null when the event is illegal. */
export function nextAttemptState(state: AttemptState, event: AttemptEvent): AttemptState | null {
  return nextState(attemptTransitions, state, event);
}

/** The attempt states in which an event is legal. */
export function attemptStatesAccepting(event: AttemptEvent): AttemptState[] {
  return statesAccepting(attemptTransitions, event);
}

export function isTerminalAttemptState(state: AttemptState): boolean {
  return terminalAttemptStates.has(state);
}

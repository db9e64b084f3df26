import { nextState, type StateTable, statesAccepting, terminalStatesOf } from './state-table.js';

export type ReservationState = 'held' | 'releasing' | 'released';

/** `begin-release`: its attempt is being stopped. `release`: exit was verified. `fence-off`: its node may not act any more. */
export type ReservationEvent = 'begin-release' | 'release' | 'fence-off';

export const reservationTransitions: StateTable<ReservationState, ReservationEvent> = {
  held: { 'begin-release': 'releasing', release: 'released', 'fence-off': 'released' },
  releasing: { release: 'released', 'fence-off': 'released' },
  released: {},
};

export const reservationStates = Object.keys(reservationTransitions) as ReservationState[];
export const terminalReservationStates = terminalStatesOf(reservationTransitions);

/** The reservation's next state, or null when the event is illegal. */
export function nextReservationState(state: ReservationState, event: ReservationEvent): ReservationState | null {
  return nextState(reservationTransitions, state, event);
}

/** The reservation states in which an event is legal. */
export function reservationStatesAccepting(event: ReservationEvent): ReservationState[] {
  return statesAccepting(reservationTransitions, event);
}

export function isTerminalReservationState(state: ReservationState): boolean {
  return terminalReservationStates.has(state);
}

import { type StateTable, statesAccepting } from './state-table.js';

export type ReservationState = 'held' | 'releasing' | 'released';

/** `begin-release`: its attempt is being stopped. `release`: exit was verified, or cannot matter: its node was fenced off, or nobody ever claimed it. */
export type ReservationEvent = 'begin-release' | 'release';

export const reservationTransitions: StateTable<ReservationState, ReservationEvent> = {
  held: { 'begin-release': 'releasing', release: 'released' },
  releasing: { release: 'released' },
  released: {},
};

/** The reservation states in which an event is legal. */
export function reservationStatesAccepting(event: ReservationEvent): ReservationState[] {
  return statesAccepting(reservationTransitions, event);
}

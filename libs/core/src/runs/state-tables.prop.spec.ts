import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  attemptTransitions,
  nextState,
  reservationTransitions,
  runTransitions,
  type StateTable,
  statesAccepting,
  taskRunTransitions,
  terminalStatesOf,
} from './index.js';

const machines: { name: string; initial: string; terminal: string[]; table: StateTable<string, string> }[] = [
  { name: 'run', initial: 'queued', terminal: ['succeeded', 'failed', 'cancelled'], table: runTransitions },
  { name: 'task run', initial: 'waiting', terminal: ['succeeded', 'failed', 'skipped', 'cancelled'], table: taskRunTransitions },
  {
    name: 'attempt',
    initial: 'dispatched',
    terminal: ['succeeded', 'failed', 'timed_out', 'cancelled', 'lost'],
    table: attemptTransitions,
  },
  { name: 'reservation', initial: 'held', terminal: ['released'], table: reservationTransitions },
];

const statesOf = (table: StateTable<string, string>) => Object.keys(table);
const eventsOf = (table: StateTable<string, string>) => [...new Set(Object.values(table).flatMap((row) => Object.keys(row)))];

function reachableFrom(table: StateTable<string, string>, start: string): Set<string> {
  const seen = new Set([start]);
  for (const state of seen) for (const next of Object.values(table[state]!)) seen.add(next!);
  return seen;
}

describe.each(machines)('the $name table', ({ initial, terminal, table }) => {
  it('ends in exactly the named terminal states', () => {
    expect([...terminalStatesOf(table)].sort()).toEqual([...terminal].sort());
  });

  it('leads only to states that it defines', () => {
    for (const row of Object.values(table)) for (const next of Object.values(row)) expect(statesOf(table)).toContain(next);
  });

  it('reaches every state from the first', () => {
    expect([...reachableFrom(table, initial)].sort()).toEqual(statesOf(table).sort());
  });

  it('can end from every state', () => {
    for (const state of statesOf(table)) {
      expect([...reachableFrom(table, state)].some((reached) => terminal.includes(reached))).toBe(true);
    }
  });

  it('never leaves the table, and never leaves a terminal state, whatever events come', () => {
    const event = fc.oneof(fc.constantFrom(...eventsOf(table)), fc.string(), fc.constantFrom('toString', '__proto__', 'constructor'));
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        let state = initial;
        for (const each of events) {
          const next = nextState(table, state, each);
          if (terminal.includes(state)) expect(next).toBeNull();
          if (next !== null) expect(statesOf(table)).toContain(next);
          state = next ?? state;
        }
      }),
    );
  });

  it('lists as accepting exactly the states in which the event leads somewhere', () => {
    for (const event of eventsOf(table)) {
      const accepting = statesAccepting(table, event);
      for (const state of statesOf(table)) expect(nextState(table, state, event) !== null).toBe(accepting.includes(state));
    }
  });
});

/** state × event → state. An event that a state does not list is illegal there. */
export type StateTable<State extends string, Event extends string> = Readonly<Record<State, Readonly<Partial<Record<Event, State>>>>>;

/** The state that follows, or null when the event is illegal in this state. */
export function nextState<State extends string, Event extends string>(
  table: StateTable<State, Event>,
  state: State,
  event: Event,
): State | null {
  const row: Readonly<Partial<Record<Event, State>>> = table[state];
  return Object.hasOwn(row, event) ? (row[event] ?? null) : null;
}

/** The states that no event leaves. */
export function terminalStatesOf<State extends string, Event extends string>(table: StateTable<State, Event>): ReadonlySet<State> {
  const states = Object.keys(table) as State[];
  return new Set(states.filter((state) => Object.keys(table[state]).length === 0));
}

/** The states in which an event is legal: the `WHERE state IN (…)` of a compare-and-set. */
export function statesAccepting<State extends string, Event extends string>(table: StateTable<State, Event>, event: Event): State[] {
  const states = Object.keys(table) as State[];
  return states.filter((state) => nextState(table, state, event) !== null);
}

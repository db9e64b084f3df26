import {
  attemptTransitions,
  nextState,
  reservationTransitions,
  runTransitions,
  type StateTable,
  type TaskRunEvent,
  type TaskRunState,
  taskRunTransitions,
} from '@medley/core';
import { withConnection } from './query.js';

interface GuardedTable {
  name: string;
  /** The states in which a row may be born. */
  births: readonly string[];
  transitions: StateTable<string, string>;
  /** Steps that one UPDATE takes together, from a state by several events. */
  together?: readonly { from: string; events: readonly string[] }[];
}

/** A retry that waits for nothing goes through `retry-wait` without staying there. */
const immediateRetry: { from: TaskRunState; events: TaskRunEvent[] } = { from: 'running', events: ['retry', 'release'] };
/** What holds no slot may be done as soon as it is begun: a branch is chosen, an approval is there. */
const immediateEnds = (['ready', 'blocked'] as const).map((from) => ({ from, events: ['begin', 'succeed'] }));

const guarded: readonly GuardedTable[] = [
  // A fire that cannot become a run is stored as one that has failed.
  { name: 'runs', births: ['queued', 'failed'], transitions: runTransitions },
  {
    name: 'task_runs',
    // A run is created with its roots ready, and a rerun with what it keeps, as that had ended; what such a run can never reach is skipped from the start.
    // An iteration is born when its turn has come: after a delay, or in a paused run.
    births: ['waiting', 'ready', 'retry-wait', 'paused', 'succeeded', 'failed', 'skipped', 'cancelled'],
    transitions: taskRunTransitions,
    together: [immediateRetry, ...immediateEnds],
  },
  { name: 'attempts', births: ['dispatched'], transitions: attemptTransitions },
  { name: 'reservations', births: ['held'], transitions: reservationTransitions },
];

const guardFunction = `
create function refuse_illegal_state() returns trigger language plpgsql as $$
declare step text := case when tg_op = 'INSERT' then '' else old.state || ' ' end || new.state;
begin
  if step = any (tg_argv) then return new; end if;
  raise exception 'illegal state of %: %', tg_table_name, step;
end $$;`;

/** Every change of state that the tables of core allow, as `from to`. */
export function legalSteps({ transitions, together = [] }: Pick<GuardedTable, 'transitions' | 'together'>): string[] {
  const single = Object.entries(transitions).flatMap(([from, row]) => Object.values(row).map((to) => `${from} ${to}`));
  const composed = together.map(({ from, events }) => {
    const to = events.reduce((state: string | null, event) => state && nextState(transitions, state, event), from);
    if (to === null) throw new Error(`${events.join(', ')} cannot follow each other from ${from}`);
    return `${from} ${to}`;
  });
  return [...new Set([...single, ...composed])];
}

/**
 * Makes a database refuse every state that the literal transition tables do not allow: an insert in a state nothing is born in, an update along no edge.
 * For tests, so that whatever they do proves the server's statements; the server itself relies on its compare-and-sets.
 */
export async function guardTransitions(databaseUrl: string): Promise<void> {
  const triggers = guarded.map((table) => {
    const steps = [...legalSteps(table), ...table.births].map((step) => `'${step}'`).join(', ');
    return `
create trigger legal_state_at_birth before insert on ${table.name} for each row execute function refuse_illegal_state(${steps});
create trigger legal_state before update of state on ${table.name} for each row when (old.state is distinct from new.state)
  execute function refuse_illegal_state(${steps});`;
  });
  await withConnection(databaseUrl, (client) => client.query(`begin; ${guardFunction} ${triggers.join('')} commit;`));
}

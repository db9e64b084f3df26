import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTerminalTaskRunState, type TaskRunState } from '../runs/index.js';
import {
  allEnded,
  type Dag,
  type DagTask,
  evaluateChildren,
  evaluateFinals,
  evaluateWaiting,
  indexDag,
  needConditions,
  tasksToRerun,
  validateDag,
} from './index.js';

type Outcome = 'succeeded' | 'failed';
interface Scenario {
  tasks: DagTask[];
  outcomes: Map<string, Outcome>;
}

/** Random DAGs: each task may need any earlier one, the last ones are final; the file order is shuffled afterwards. */
const scenario: fc.Arbitrary<Scenario> = fc
  .tuple(
    fc.array(
      fc.record({
        parents: fc.array(fc.tuple(fc.nat(), fc.constantFrom(...needConditions)), { maxLength: 4 }),
        mode: fc.constantFrom('all' as const, 'any' as const),
        outcome: fc.constantFrom<Outcome>('succeeded', 'failed'),
      }),
      { minLength: 1, maxLength: 14 },
    ),
    fc.nat(3),
  )
  .chain(([rows, finals]) => {
    const tasks = rows.map((row, index) => ({
      key: `t${index}`,
      isFinal: index > 0 && index >= rows.length - finals,
      needs: { mode: row.mode, conditions: Object.fromEntries(index === 0 ? [] : row.parents.map(([n, c]) => [`t${n % index}`, c])) },
    }));
    const outcomes = new Map(rows.map((row, index) => [`t${index}`, row.outcome]));
    return fc.shuffledSubarray(tasks, { minLength: tasks.length }).map((shuffled) => ({ tasks: shuffled, outcomes }));
  });

/** An independent reading of the rules: final states by recursion over parents, with no waiting and no order of events. */
function finalStates({ tasks, outcomes }: Scenario): Map<string, TaskRunState> {
  const byKey = new Map(tasks.map((task) => [task.key, task]));
  const known = new Map<string, TaskRunState>();
  const solve = (key: string): TaskRunState => {
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    const { mode, conditions } = byKey.get(key)!.needs;
    const held = Object.entries(conditions).map(([parent, wanted]) => wanted === 'done' || solve(parent) === wanted);
    const starts = held.length === 0 || (mode === 'all' ? held.every(Boolean) : held.some(Boolean));
    const state = starts ? outcomes.get(key)! : 'skipped';
    known.set(key, state);
    return state;
  };
  for (const task of tasks) solve(task.key);
  return known;
}

/** Runs the scenario: tasks that are ready end in an order drawn by `pick`, in batches of up to three. */
function play({ tasks, outcomes }: Scenario, pick: (count: number) => number): { states: Map<string, TaskRunState>; steps: number } {
  const dag = indexDag(tasks);
  const states = new Map<string, TaskRunState>(tasks.map((task) => [task.key, 'waiting']));
  const apply = (decisions: ReturnType<typeof evaluateChildren>) => {
    for (const { key, next } of decisions) {
      expect(states.get(key)).toBe('waiting');
      if (next === 'ready') expectConditionsHold(dag, dag.tasks.get(key)!, states);
      states.set(key, next);
    }
  };
  const others = tasks.filter((task) => !task.isFinal).map((task) => task.key);
  apply(evaluateWaiting(dag, states));
  let opened = allEnded(others, states);
  let steps = 0;
  for (let ready = readyOf(states); ready.length > 0; ready = readyOf(states)) {
    const batch = ready.splice(pick(ready.length), 1 + pick(3));
    for (const key of batch) states.set(key, outcomes.get(key)!);
    apply(evaluateChildren(dag, states, batch));
    if (!opened && allEnded(others, states)) {
      apply(evaluateFinals(dag, states));
      opened = true;
    }
    steps++;
  }
  expect(evaluateWaiting(dag, states)).toEqual([]);
  return { states, steps };
}

const readyOf = (states: Map<string, TaskRunState>) => [...states].filter(([, state]) => state === 'ready').map(([key]) => key);

function expectConditionsHold(dag: Dag, task: DagTask, states: Map<string, TaskRunState>): void {
  const held = Object.entries(task.needs.conditions).map(([parent, wanted]) => {
    const state = states.get(parent)!;
    return isTerminalTaskRunState(state) && (wanted === 'done' || state === wanted);
  });
  const ended = (state: TaskRunState) => isTerminalTaskRunState(state);
  if (task.isFinal) expect([...states].filter(([key]) => !dag.tasks.get(key)!.isFinal).every(([, state]) => ended(state))).toBe(true);
  expect(held.length === 0 || (task.needs.mode === 'all' ? !held.includes(false) : held.includes(true))).toBe(true);
}

describe('a random DAG with random outcomes', () => {
  it('never starts a task early, always ends, and ends as an independent evaluator says', () => {
    fc.assert(
      fc.property(scenario, fc.infiniteStream(fc.nat()), (drawn, numbers) => {
        expect(validateDag(drawn.tasks)).toEqual([]);
        const pick = (count: number) => numbers.next().value % count;
        const { states, steps } = play(drawn, pick);
        expect(steps).toBeLessThanOrEqual(drawn.tasks.length);
        expect(Object.fromEntries(states)).toEqual(Object.fromEntries(finalStates(drawn)));
      }),
      { numRuns: 300 },
    );
  });

  it('reports a cycle exactly when a need that points back is added', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 12 }), fc.nat(), fc.nat(), (count, from, to) => {
        const chain: DagTask[] = Array.from({ length: count }, (_, index) => ({
          key: `t${index}`,
          needs: { mode: 'all', conditions: index === 0 ? {} : { [`t${index - 1}`]: 'succeeded' as const } },
        }));
        const [child, parent] = [from % count, to % count];
        fc.pre(child !== parent);
        const tasks = chain.map((task, index) =>
          index === child
            ? { ...task, needs: { ...task.needs, conditions: { ...task.needs.conditions, [`t${parent}`]: 'done' as const } } }
            : task,
        );
        expect(validateDag(tasks).some((fault) => fault.kind === 'cycle')).toBe(parent > child);
      }),
    );
  });

  it('is rerun so that nothing kept is downstream of anything that runs anew', () => {
    fc.assert(
      fc.property(scenario, (drawn) => {
        const dag = indexDag(drawn.tasks);
        const states = finalStates(drawn);
        const { kept, anew } = tasksToRerun(dag, states, { mode: 'failed' });
        expect([...kept, ...anew].sort()).toEqual([...dag.tasks.keys()].sort());
        for (const key of kept) {
          expect(states.get(key)).toBe('succeeded');
          for (const parent of Object.keys(dag.tasks.get(key)!.needs.conditions)) expect(kept).toContain(parent);
        }
        if (anew.length > 0) expect(anew).toEqual(expect.arrayContaining([...dag.finals]));
      }),
    );
  });
});

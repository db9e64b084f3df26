import { finalRunState, type NeedCondition, type Needs, needConditions, type TaskRunState } from '@medley/core';
import { sqlOutsideTransaction } from '@medley/database';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { expectInvariants } from '../testing/invariants.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine } from '../testing/spine.fixture.js';
import type { TaskFields } from '../testing/workflow.fixture.js';

interface RandomTask {
  key: string;
  needs: Needs;
  isFinal: boolean;
  /** A condition of its own, which holds or not; null for none. */
  when: boolean | null;
  /** How the instances of a mapped task end; null for one that is not mapped. */
  items: ('succeeded' | 'failed')[] | null;
  parallel: number;
  outcome: 'succeeded' | 'failed';
}

/** Tasks whose needs point to earlier ones only; the last may be final. */
const randomTasks = fc
  .array(
    fc.record({
      mode: fc.constantFrom('all' as const, 'any' as const),
      parents: fc.uniqueArray(fc.nat(100), { maxLength: 3 }),
      conditions: fc.array(fc.constantFrom(...needConditions), { minLength: 3, maxLength: 3 }),
      when: fc.constantFrom(null, null, null, true, false),
      items: fc.option(fc.array(fc.constantFrom('succeeded' as const, 'succeeded' as const, 'failed' as const), { maxLength: 4 }), {
        freq: 3,
      }),
      parallel: fc.integer({ min: 1, max: 3 }),
      outcome: fc.constantFrom('succeeded' as const, 'succeeded' as const, 'failed' as const),
    }),
    { minLength: 2, maxLength: 14 },
  )
  .chain((drawn) => fc.tuple(fc.constant(drawn), fc.nat(Math.min(3, drawn.length - 1))))
  .map(([drawn, finals]) =>
    drawn.map(({ mode, parents, conditions, ...rest }, index): RandomTask => {
      const needed = index === 0 ? [] : parents.map((parent, at): [string, NeedCondition] => [`t${parent % index}`, conditions[at]!]);
      return {
        key: `t${index}`,
        needs: { mode, conditions: Object.fromEntries(needed) },
        isFinal: index >= drawn.length - finals,
        ...rest,
      };
    }),
  );

/** How a task ends that runs: as its instances make it, or as itself. */
function endOf({ items, outcome }: RandomTask): TaskRunState {
  if (items === null) return outcome;
  return items.includes('failed') ? 'failed' : 'succeeded';
}

/** The only final states there can be: rules applied to the whole graph again and again until nothing changes, without any order of events. */
function finalStates(tasks: readonly RandomTask[]): Map<string, TaskRunState> {
  const states = new Map<string, TaskRunState>();
  for (let before = -1; before !== states.size; ) {
    before = states.size;
    for (const task of tasks) {
      const needs = Object.entries(task.needs.conditions);
      if (needs.some(([parent]) => !states.has(parent))) continue;
      const held = needs.filter(([parent, on]) => on === 'done' || states.get(parent) === on).length;
      const starts = needs.length === 0 || (task.needs.mode === 'all' ? held === needs.length : held > 0);
      states.set(task.key, starts && task.when !== false ? endOf(task) : 'skipped');
    }
  }
  return states;
}

const mapOf = ({ items, parallel }: RandomTask): TaskFields =>
  items === null ? {} : { map: { over: items.map((_, index) => index), as: 'item', parallel, onFailure: 'finish' } };

const running = ({ sql }: Spine, runId: string) =>
  sql.query<{ id: string; task_key: string; item: number }>(
    `select a.id, t.task_key, t.item from attempts a join task_runs t on t.id = a.task_run_id where a.run_id = $1 and a.state = 'running'`,
    [runId],
  );

/** Both servers look at once; whether there was something to decide. */
async function decideAll(replicas: readonly Replica[]): Promise<boolean> {
  const found = await sqlOutsideTransaction(replicas[0]!.source).query(
    `select 1 from task_runs where pool_id is null and state = 'ready' limit 1`,
  );
  if (found.length > 0) await Promise.all(replicas.map((replica) => replica.passes.unplaced.run()));
  return found.length > 0;
}

describe('settlement of random DAGs', () => {
  let spine: Spine;
  let replicas: Replica[];
  let pool: { id: string; name: string };

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    replicas = [await spine.replica(), await spine.replica()];
    pool = await spine.addPool();
    await spine.addNode(pool.id);
  });
  afterAll(() => spine.close());

  it('ends every task as an independent reading of the rules says, in whatever batches, order and servers the endings come', async () => {
    const property = fc.asyncProperty(randomTasks, fc.array(fc.nat(5), { minLength: 20, maxLength: 20 }), async (tasks, cuts) => {
      const fields = Object.fromEntries(
        tasks.map((task): [string, TaskFields] => {
          const { key, needs, isFinal, when } = task;
          return [key, { needs, isFinal, ...mapOf(task), ...(when === null ? {} : { when: String(when) }) }];
        }),
      );
      const runId = await replicas[0]!.startRun(await spine.addWorkflow(pool.name, fields), spine.projectId);
      const byKey = new Map(tasks.map((task) => [task.key, task]));
      let live: { attemptId: string; outcome: 'succeeded' | 'failed' }[] = [];
      const seen = new Set<string>();
      for (let step = 0; ; step++) {
        for (let passes = 0; passes < tasks.length; passes++) if (!(await decideAll(replicas))) break;
        await replicas[step % 2]!.runReady(runId);
        for (const { id, task_key, item } of await running(spine, runId)) {
          const task = byKey.get(task_key)!;
          if (!seen.has(id)) live.push({ attemptId: id, outcome: item < 0 ? task.outcome : task.items![item]! });
          seen.add(id);
        }
        if (live.length === 0) break;
        const cut = cuts[step % cuts.length]!;
        if (cut % 2) live = live.toReversed();
        const [first, second] = [live.splice(0, 1 + cut), live.splice(0, cut)];
        await Promise.all([replicas[0]!.end(first), second.length > 0 ? replicas[1]!.end(second) : null]);
      }
      const expected = finalStates(tasks);
      expect(await spine.taskStates(runId)).toEqual(Object.fromEntries(expected));
      expect((await spine.run(runId)).state).toBe(finalRunState(expected.values(), false));
      await expectInvariants(spine);
    });
    await fc.assert(property, { numRuns: 20, interruptAfterTimeLimit: 30_000, markInterruptAsFailure: false });
  });
});

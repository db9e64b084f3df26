import { finalRunState, type NeedCondition, type Needs, needConditions, type TaskRunState } from '@medley/core';
import { sqlOutsideTransaction } from '@medley/database';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { someChildAsks } from '../sub-workflows/steer-children.js';
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
  /** How many iterations a repeated task has; null for one that is not repeated. */
  iterations: number | null;
  /** Whether it, or each of its instances, is a run of another workflow. */
  isNested: boolean;
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
      iterations: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 3 }),
      isNested: fc.constantFrom(false, false, true),
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

/** How an attempt ends: of a repeated task only the last iteration may fail. */
function outcomeOf({ items, iterations, outcome }: RandomTask, item: number): 'succeeded' | 'failed' {
  if (item < 0) return outcome;
  if (items !== null) return items[item]!;
  return item === iterations! - 1 ? outcome : 'succeeded';
}

const nestedIn = ({ isNested }: RandomTask): TaskFields =>
  isNested ? { kind: 'workflow', script: null, subWorkflow: { workflow: 'leaf', version: null, parameters: {} } } : {};

const loopOf = ({ items, iterations }: RandomTask): TaskFields =>
  items !== null || iterations === null
    ? {}
    : { loop: { until: `loop.index == ${iterations - 1}`, max: 5, delaySeconds: 0, onMax: 'fail' } };

const mapOf = ({ items, parallel }: RandomTask): TaskFields =>
  items === null ? {} : { map: { over: items.map((_, index) => index), as: 'item', parallel, onFailure: 'finish' } };

/** What runs of a run and of those within it, by the task and the instance of the run itself. */
const running = ({ sql }: Spine, runId: string) =>
  sql.query<{ id: string; task_key: string; item: number }>(
    `select a.id, coalesce(p.task_key, t.task_key) as task_key, coalesce(p.item, t.item) as item
     from attempts a join task_runs t on t.id = a.task_run_id join runs r on r.id = a.run_id left join task_runs p on p.id = r.parent_task_run_id
     where (r.id = $1 or r.parent_run_id = $1) and a.state = 'running'`,
    [runId],
  );

async function runReady(replica: Replica, { sql }: Spine, runId: string): Promise<void> {
  await replica.runReady(runId);
  const children = await sql.query<{ id: string }>('select id from runs where parent_run_id = $1 and finished_at is null', [runId]);
  for (const { id } of children) await replica.claimAll(id);
}

/** Both servers look at once; whether there was something to decide. */
async function decideAll(replicas: readonly Replica[]): Promise<boolean> {
  const found = await sqlOutsideTransaction(replicas[0]!.source).query(
    `select 1 where exists (select 1 from task_runs where pool_id is null and (state = 'ready' or next_look_at <= clock_timestamp())) or ${someChildAsks}`,
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
    await spine.addWorkflow(pool.name, { work: {} }, { name: 'leaf' });
  });
  afterAll(() => spine.close());

  it('ends every task as an independent reading of the rules says, in whatever batches, order and servers the endings come', async () => {
    const property = fc.asyncProperty(randomTasks, fc.array(fc.nat(5), { minLength: 20, maxLength: 20 }), async (tasks, cuts) => {
      const fields = Object.fromEntries(
        tasks.map((task): [string, TaskFields] => {
          const { key, needs, isFinal, when } = task;
          return [
            key,
            { needs, isFinal, ...mapOf(task), ...loopOf(task), ...nestedIn(task), ...(when === null ? {} : { when: String(when) }) },
          ];
        }),
      );
      const runId = await replicas[0]!.startRun(await spine.addWorkflow(pool.name, fields), spine.projectId);
      const byKey = new Map(tasks.map((task) => [task.key, task]));
      let live: { attemptId: string; outcome: 'succeeded' | 'failed' }[] = [];
      const seen = new Set<string>();
      for (let step = 0; ; step++) {
        for (let passes = 0; passes < 3 * tasks.length; passes++) if (!(await decideAll(replicas))) break;
        await runReady(replicas[step % 2]!, spine, runId);
        for (const { id, task_key, item } of await running(spine, runId)) {
          const task = byKey.get(task_key)!;
          if (!seen.has(id)) live.push({ attemptId: id, outcome: outcomeOf(task, item) });
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

import { evaluateReadiness, finalRunState, type NeedCondition, type Needs, needConditions, type TaskRunState } from '@medley/core';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { expectInvariants } from '../testing/invariants.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine } from '../testing/spine.fixture.js';

interface RandomTask {
  key: string;
  needs: Needs;
  isFinal: boolean;
  outcome: 'succeeded' | 'failed';
}

/** Tasks whose needs point to earlier ones only; the last may be final. */
const randomTasks = fc
  .array(
    fc.record({
      mode: fc.constantFrom('all' as const, 'any' as const),
      parents: fc.uniqueArray(fc.nat(100), { maxLength: 3 }),
      conditions: fc.array(fc.constantFrom(...needConditions), { minLength: 3, maxLength: 3 }),
      outcome: fc.constantFrom('succeeded' as const, 'succeeded' as const, 'failed' as const),
    }),
    { minLength: 2, maxLength: 14 },
  )
  .chain((drawn) => fc.tuple(fc.constant(drawn), fc.nat(Math.min(3, drawn.length - 1))))
  .map(([drawn, finals]) =>
    drawn.map(({ mode, parents, conditions, outcome }, index): RandomTask => {
      const needed = index === 0 ? [] : parents.map((parent, at): [string, NeedCondition] => [`t${parent % index}`, conditions[at]!]);
      return {
        key: `t${index}`,
        needs: { mode, conditions: Object.fromEntries(needed) },
        isFinal: index >= drawn.length - finals,
        outcome,
      };
    }),
  );

/** The only final states there can be, by core's rule applied in topological order. */
function finalStates(tasks: readonly RandomTask[]): Map<string, TaskRunState> {
  const states = new Map<string, TaskRunState>();
  for (const task of tasks) {
    const readiness = evaluateReadiness(task, states);
    states.set(task.key, readiness === 'ready' ? task.outcome : 'skipped');
  }
  return states;
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

  it('ends every task as core says, in whatever batches, order and servers the endings come', async () => {
    const property = fc.asyncProperty(randomTasks, fc.array(fc.nat(5), { minLength: 20, maxLength: 20 }), async (tasks, cuts) => {
      const fields = Object.fromEntries(tasks.map(({ key, needs, isFinal }) => [key, { needs, isFinal }]));
      const runId = await replicas[0]!.startRun(await spine.addWorkflow(pool.name, fields), spine.projectId);
      const outcomes = new Map(tasks.map(({ key, outcome }) => [key, outcome]));
      let live: { attemptId: string; outcome: 'succeeded' | 'failed' }[] = [];
      const seen = new Set<string>();
      for (let step = 0; ; step++) {
        for (const [key, { id }] of await replicas[step % 2]!.runReady(runId)) {
          if (!seen.has(id)) live.push({ attemptId: id, outcome: outcomes.get(key)! });
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

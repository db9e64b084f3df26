import type { ClaimResult } from '@medley/contracts';
import { uuidv7 } from '@medley/database';
import { waitFor } from '@medley/testing';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { expectInvariants } from '../testing/invariants.fixture.js';
import { claimOf, type Replica } from '../testing/replica.fixture.js';
import { type AttemptRow, Spine } from '../testing/spine.fixture.js';
import { countStatements } from '../testing/statements.fixture.js';
import { reference, type TaskFields } from '../testing/workflow.fixture.js';

describe('claims', () => {
  let spine: Spine;
  let replica: Replica;
  let other: Replica;
  let pool: { id: string; name: string };
  let nodes: string[];

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    [replica, other] = await Promise.all([spine.replica(), spine.replica()]);
    pool = await spine.addPool();
    nodes = [await spine.addNode(pool.id), await spine.addNode(pool.id)];
  });
  afterEach(() => expectInvariants(spine));
  afterAll(() => spine.close());

  async function dispatched(tasks: Record<string, TaskFields> = { task: {} }): Promise<{ runId: string; attempts: AttemptRow[] }> {
    const runId = await replica.startRun(await spine.addWorkflow(pool.name, tasks), spine.projectId);
    await replica.place();
    return { runId, attempts: await spine.attempts(runId) };
  }

  const holdTaskRun = (id: string) => spine.hold('select id from task_runs where id = $1 for update', [id]);
  const elsewhere = (attempt: AttemptRow) => nodes.find((id) => id !== attempt.node_id)!;

  it('starts attempt, task run and run, and delivers the rendered specification', async () => {
    const { runId, attempts } = await dispatched({ task: { env: { RUN: reference('run.id') }, timeoutSeconds: 60 } });
    const result = await replica.claim(attempts[0]!);

    expect(result).toMatchObject({ granted: true, work: { runId, taskKey: 'task', env: { RUN: runId }, attemptNumber: 1 } });
    expect((await spine.attempt(runId, 'task')).state).toBe('running');
    expect(await spine.taskStates(runId)).toEqual({ task: 'running' });
    expect((await spine.run(runId)).state).toBe('running');
  });

  it('gives the same yes to a claim that is asked again, on any server', async () => {
    const { attempts } = await dispatched();
    const claimId = uuidv7();
    const first = await replica.claim(attempts[0]!, { claimId });
    expect(first.granted).toBe(true);
    expect(await replica.claim(attempts[0]!, { claimId })).toEqual(first);
    expect(await other.claim(attempts[0]!, { claimId })).toEqual(first);
  });

  it('gives the same yes to a claim that is asked again while the first is still under way on another server', async () => {
    const { attempts } = await dispatched({ first: {}, second: {} });
    await replica.claim(attempts[0]!);
    const claimId = uuidv7();
    const held = await holdTaskRun(attempts[1]!.task_run_id);
    const both = [replica.claim(attempts[1]!, { claimId }), other.claim(attempts[1]!, { claimId })];
    await waitFor(async () => (await spine.waitingForLocks()) === 2);
    await held.release();
    expect((await Promise.all(both)).map(({ granted }) => granted)).toEqual([true, true]);
  });

  it('refuses what is not the valid dispatch of the calling node, and leaves everything as it was', async () => {
    const { runId, attempts } = await dispatched();
    const attempt = attempts[0]!;
    const refused = [
      await replica.claim(attempt, { fence: attempt.fence + 1 }),
      await replica.claim(attempt, { fence: 2 ** 40 }),
      await replica.claim(attempt, { nodeId: elsewhere(attempt) }),
      await replica.claim(attempt, { taskRunId: uuidv7() }),
      await replica.claim(attempt, { attemptId: uuidv7() }),
    ];
    expect(refused.map(({ granted }) => granted)).toEqual([false, false, false, false, false]);
    expect((await spine.attempt(runId, 'task')).state).toBe('dispatched');
    expect((await spine.run(runId)).state).toBe('queued');
  });

  it('refuses another claim id once one is granted', async () => {
    const { attempts } = await dispatched();
    expect((await replica.claim(attempts[0]!)).granted).toBe(true);
    expect((await replica.claim(attempts[0]!)).granted).toBe(false);
    expect((await other.claim(attempts[0]!)).granted).toBe(false);
  });

  it('grants one of two claims for the same attempt that share a batch', async () => {
    const { attempts } = await dispatched();
    const results = await replica.claims.claim(attempts[0]!.node_id, [claimOf(attempts[0]!), claimOf(attempts[0]!)]);
    expect(results.filter(({ granted }) => granted)).toHaveLength(1);
  });

  it('refuses another node in the very batch in which the right node is granted', async () => {
    const { attempts } = await dispatched();
    const [right, wrong] = await Promise.all([
      replica.claim(attempts[0]!),
      replica.claim(attempts[0]!, { nodeId: elsewhere(attempts[0]!) }),
    ]);
    expect([right.granted, wrong.granted]).toEqual([true, false]);
  });

  it('grants exactly one of many claims that come at once to two servers', async () => {
    const { attempts } = await dispatched(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`t${index}`, {}])));
    const results = await Promise.all(
      attempts.flatMap((attempt) =>
        [replica, other, replica, other].map((each) => each.claim(attempt).then((result) => ({ attempt, result }))),
      ),
    );
    const granted = results.filter(({ result }) => result.granted).map(({ attempt }) => attempt.id);
    expect(granted.toSorted()).toEqual(attempts.map(({ id }) => id));
  });

  it('refuses a dispatch of a cancelled run', async () => {
    const { runId, attempts } = await dispatched();
    await replica.cancel(runId);
    expect((await replica.claim(attempts[0]!)).granted).toBe(false);
    expect((await spine.run(runId)).state).toBe('cancelled');
  });

  it('either runs or cancels a task that is claimed and cancelled at once, never both', async () => {
    for (let round = 0; round < 10; round++) {
      const { runId, attempts } = await dispatched();
      const [claimed] = await Promise.all([replica.claim(attempts[0]!), other.cancel(runId)]);
      expect((await spine.attempt(runId, 'task')).state).toBe(claimed.granted ? 'stopping' : 'cancelled');
      expect((await spine.run(runId)).state).toBe(claimed.granted ? 'cancelling' : 'cancelled');
    }
  });

  it('fails a task whose values cannot be rendered alone and grants the rest of its batch', async () => {
    const { runId, attempts } = await dispatched({
      bad: { env: { X: reference('parameters.missing') } },
      good: {},
      after: { needs: ['bad'] },
    });
    const results = await Promise.all(attempts.map((attempt) => replica.claim(attempt)));

    expect(attempts.map(({ task_key }, index) => [task_key, results[index]!.granted])).toEqual(
      expect.arrayContaining([
        ['bad', false],
        ['good', true],
      ]),
    );
    expect(await spine.taskStates(runId)).toEqual({ bad: 'failed', good: 'running', after: 'skipped' });
    expect((await spine.taskRuns(runId)).get('bad')!.reason!.text).toContain('missing');
  });

  it('reads what the values of a whole batch name in as many questions as those of one, and gives each task what it names alone', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `v${index}`);
    await spine.sql.query('insert into project_variables (project_id, name, value) select $1, n, upper(n) from unnest($2::text[]) as n', [
      spine.projectId,
      names,
    ]);
    const named = (name: string): TaskFields => ({
      needs: ['first'],
      env: { OWN: reference(`variables.${name}`), GIVEN: reference('tasks.first.outputs.day') },
    });
    const { runId } = await dispatched({ first: {}, ...Object.fromEntries(names.map((name) => [name, named(name)])) });
    await replica.claimAll(runId);
    await replica.end([{ attemptId: (await spine.attempt(runId, 'first')).id, outputs: { day: 'monday' } }]);
    await replica.place();
    const attempts = (await spine.attempts(runId)).filter(({ state }) => state === 'dispatched');
    const asked = countStatements(replica.source, 'project_variables', 'task_outputs', 'project_secrets');
    const results = await replica.claims.claim(
      attempts[0]!.node_id,
      attempts.filter(({ node_id }) => node_id === attempts[0]!.node_id).map(claimOf),
    );
    expect(results.length).toBeGreaterThan(1);
    expect(asked()).toBe(2);
    for (const result of results) {
      const { taskKey, env } = (result as Extract<ClaimResult, { granted: true }>).work;
      expect(env).toEqual({ OWN: taskKey.toUpperCase(), GIVEN: 'monday' });
    }
  });
});

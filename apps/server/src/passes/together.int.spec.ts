import { pick, seededRandom } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { lockRuns } from '../settlement/lock-runs.js';
import { expectInvariants } from '../testing/invariants.fixture.js';
import { finished, logOf, type Replica } from '../testing/replica.fixture.js';
import { type AttemptRow, Spine } from '../testing/spine.fixture.js';
import { hearDeadlocks } from '../testing/statements.fixture.js';
import type { TaskFields } from '../testing/workflow.fixture.js';

const ROUNDS = 60;

/** Layers of tasks, each needing some of the layer before, with retries. */
function layers(random: () => number): Record<string, TaskFields> {
  const tasks: Record<string, TaskFields> = {};
  for (let layer = 0; layer < 4; layer++)
    for (let place = 0; place < 5; place++) {
      const needs = layer === 0 ? [] : [0, 1].map(() => `t${layer - 1}-${Math.floor(random() * 5)}`);
      const retry = { attempts: 3, delaySeconds: 0.01, backoff: 'fixed' as const, maxDelaySeconds: 1 };
      tasks[`t${layer}-${place}`] = { needs: [...new Set(needs)], cpuMillis: 100 + 300 * place, retry };
    }
  return tasks;
}

describe('everything at once on two servers', () => {
  let spine: Spine;
  let replicas: Replica[];
  let pools: { id: string; name: string }[];
  const random = seededRandom(20_261_130);

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    const env = { MEDLEY_RELAY_MAX_SENDS: '2' };
    replicas = [await spine.replica({ env }), await spine.replica({ env })];
    pools = [
      await spine.addPool({ selector: 'resource-pick-kx', k: 1, prefetch: 3 }),
      await spine.addPool({ selector: 'smooth-weighted-round-robin', prefetch: 1 }),
    ];
    for (const pool of pools) for (let count = 0; count < 3; count++) await spine.addNode(pool.id, { cpuMillis: 3000 });
  });
  afterAll(() => spine.close());

  const live = (state: string) =>
    spine.sql.query<AttemptRow>('select a.*, t.task_key from attempts a join task_runs t on t.id = a.task_run_id where a.state = $1', [
      state,
    ]);
  const anyReplica = () => pick(replicas, random);
  const some = <T>(rows: readonly T[], share: number) => rows.filter(() => random() < share);

  /** What an agent might do in a moment, most of it sensible. */
  function agentActions(dispatched: readonly AttemptRow[], running: readonly AttemptRow[]): Promise<unknown>[] {
    const report = (attempt: AttemptRow) => {
      const ending = finished(random() < 0.8 ? 'succeeded' : 'failed');
      return anyReplica().report(attempt, random() < 0.3 ? [logOf('x')] : [logOf('x'), ending], attempt.report_sequence + 1);
    };
    return [
      ...some(dispatched, 0.6).map((attempt) => anyReplica().claim(attempt)),
      ...some(dispatched, 0.1).map((attempt) => anyReplica().claim(attempt)),
      ...some(running, 0.5).map(report),
      ...some(running, 0.05).map(report),
      ...some(running, 0.05).map(({ id }) => anyReplica().end([{ attemptId: id, outcome: 'lost' }])),
    ];
  }

  function passes(): Promise<unknown>[] {
    return replicas.flatMap(({ passes: { place, retry, relay, reconcile } }) => [
      place.run(),
      retry.run(),
      relay.run(),
      ...(random() < 0.3 ? [reconcile.run()] : []),
    ]);
  }

  it('keeps every invariant, and ends every run without a deadlock', async () => {
    const runs: string[] = [];
    for (let count = 0; count < 6; count++)
      runs.push(await anyReplica().startRun(await spine.addWorkflow(pools[count % 2]!.name, layers(random)), spine.projectId));
    await spine.sql.query(`update task_runs set expected_seconds = 0.1 where task_key < 't3'`); // short, so that some are prefetched
    const deadlocks = replicas.map(({ source }) => hearDeadlocks(source));
    let cancelled = false;
    for (let round = 0; round < ROUNDS; round++) {
      const [dispatched, running] = await Promise.all([live('dispatched'), live('running')]);
      // In the middle, at a moment when one of the two has something to stop.
      const isTime: boolean =
        !cancelled && round >= 12 && running.some(({ run_id }) => runs.indexOf(run_id) === 0 || runs.indexOf(run_id) === 1);
      const cancel = isTime ? [anyReplica().cancel(runs[0]!), replicas[1]!.cancel(runs[1]!)] : [];
      cancelled ||= isTime;
      if (random() < 0.3) await spine.sql.query(`update attempts set next_send_at = clock_timestamp() where next_send_at is not null`);
      await Promise.all([...agentActions(dispatched, running), ...passes(), ...cancel]);
      await Promise.all(
        (await live('stopping')).map((attempt) => anyReplica().report(attempt, [finished('succeeded')], attempt.report_sequence + 1)),
      );
    }
    await expectInvariants(spine);

    for (let turn = 0; turn < 40; turn++) {
      for (const { id } of await spine.sql.query<{ id: string }>('select id from runs where finished_at is null')) {
        await spine.sql.query(`update task_runs set retry_at = clock_timestamp() where run_id = $1 and state = 'retry-wait'`, [id]);
        await replicas[0]!.passes.retry.run();
        await replicas[0]!.runReady(id);
      }
      await replicas[0]!.end((await live('running')).map(({ id }) => ({ attemptId: id })));
    }
    await expectInvariants(spine);
    const states = await Promise.all(runs.map((id) => spine.run(id)));
    expect(states.map(({ state }) => state).slice(0, 2)).toEqual(['cancelled', 'cancelled']);
    expect(states.filter(({ finished_at }) => finished_at === null)).toEqual([]);
    expect(await childrenTooEarly()).toEqual([]);
    const ends = await spine.sql.query<{ state: string }>('select distinct state from attempts order by state');
    expect(ends.map(({ state }) => state)).toEqual(['cancelled', 'failed', 'lost', 'succeeded']); // all of it has happened
    const sentAhead = await spine.sql.query<{ state: string }>('select distinct state from attempts where prefetched order by state');
    const aheadStates = sentAhead.map(({ state }) => state);
    expect(aheadStates).toContain('lost'); // taken back
    expect(aheadStates.filter((state) => state === 'succeeded' || state === 'failed')).not.toEqual([]); // claimed in time
    expect(deadlocks.flatMap((found) => found())).toEqual([]);
  });

  it('a task run that is written twice in one transaction never asks for a run that another one holds', async () => {
    const runId = await replicas[0]!.startRun(await spine.addWorkflow(pools[0]!.name, { a: {} }), spine.projectId);
    await spine.inTransaction(async (holder) => {
      await lockRuns(holder, 'runs', [runId]);
      await spine.inTransaction(async (sql) => {
        await sql.query(`set local lock_timeout = '2s'`);
        for (const rank of [1, 2]) await sql.query('update task_runs set rank = $2 where run_id = $1', [runId, rank]);
      });
    });
    expect(await spine.sql.query('select rank from task_runs where run_id = $1', [runId])).toEqual([{ rank: 2 }]);
  });

  /** Task runs that started although a task that they need had not succeeded by then. */
  async function childrenTooEarly(): Promise<unknown[]> {
    return spine.sql.query(
      `select c.task_key from task_runs c join runs r on r.id = c.run_id
       join workflow_versions v on v.workflow_id = r.workflow_id and v.version = r.workflow_version
       join lateral jsonb_object_keys(v.spec->'tasks'->c.position->'needs'->'conditions') as need(key) on true
       join task_runs p on p.run_id = c.run_id and p.task_key = need.key
       where c.started_at is not null and (p.state <> 'succeeded' or p.finished_at > c.started_at)`,
    );
  }
});

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApplyAnswer, RunTasks, RunView, WaitForSpec, Why } from '@medley/contracts';
import { aWorkflow, waitFor } from '@medley/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { expectInvariants } from '../testing/invariants.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine } from '../testing/spine.fixture.js';
import { startTestServer } from '../testing/test-server.js';
import { reference, type TaskFields } from '../testing/workflow.fixture.js';

const env = { MEDLEY_PROBE_ADDRESSES: 'all' };

describe('a task that waits for something outside', () => {
  let spine: Spine;
  let replica: Replica;
  let pool: { id: string; name: string };
  let lake: Server;
  let asked: { method: string; day: unknown }[] = [];
  let status = 404;
  /** What happens while it is asked, before it answers. */
  let meanwhile: () => Promise<unknown> = async () => {};

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    replica = await spine.replica({ env });
    pool = await spine.addPool();
    await spine.addNode(pool.id, { maxAttempts: 1 });
    lake = createServer(async (request, response) => {
      asked.push({ method: request.method!, day: request.headers['x-day'] });
      await meanwhile();
      response.writeHead(status).end();
    }).listen(0, '127.0.0.1');
    await once(lake, 'listening');
  });
  beforeEach(() => {
    asked = [];
    status = 404;
    meanwhile = async () => {};
  });
  afterEach(() => expectInvariants(spine));
  afterAll(async () => {
    lake.close();
    await spine.close();
  });

  const answer = (fields: Partial<Extract<WaitForSpec, { kind: 'http' }>> = {}): TaskFields => {
    const url = `http://127.0.0.1:${(lake.address() as AddressInfo).port}/${reference('task.key')}`;
    const headers = { 'x-day': reference('run.id') };
    return { kind: 'wait-for', waitFor: { kind: 'http', method: 'GET', url, headers, expectStatus: [200], everySeconds: 30, ...fields } };
  };
  const time = (fields: { until?: string; forSeconds?: number }): TaskFields => {
    return { kind: 'wait-for', waitFor: { kind: 'time', until: fields.until ?? null, forSeconds: fields.forSeconds ?? null } };
  };
  async function started(tasks: Record<string, TaskFields>) {
    const runId = await replica.startRun(await spine.addWorkflow(pool.name, tasks), spine.projectId);
    await replica.passes.unplaced.run();
    return runId;
  }
  const nextIsDue = () => spine.sql.query('update watches set due_at = clock_timestamp()');
  const reasonOf = async (runId: string, key = 'wait') => (await spine.taskRuns(runId)).get(key)!.reason;
  const stateOf = async (runId: string, key = 'wait') => (await spine.taskStates(runId))[key];
  const watched = async () => (await spine.sql.query('select 1 from watches')).length;

  it('says what the last look found and when the next one is, and ends when the answer is as expected', async () => {
    const runId = await started({ wait: answer() });
    expect(await reasonOf(runId)).toMatchObject({ code: 'waiting-for-http', values: { looks: 0 } });
    await replica.passes.watch.run();
    expect(asked).toEqual([{ method: 'GET', day: runId }]);
    const { code, values } = (await reasonOf(runId)) as unknown as { code: string; values: { lastAt: string; nextAt: string } };
    expect({ code, values }).toMatchObject({
      code: 'waiting-for-http',
      values: { target: expect.stringMatching(/\/wait$/), looks: 1, found: { code: 'look-status', values: { status: 404 } } },
    });
    expect(Date.parse(values.nextAt) - Date.parse(values.lastAt)).toBe(30_000);
    await replica.passes.watch.run();
    expect(asked).toHaveLength(1);
    status = 200;
    await nextIsDue();
    await replica.passes.watch.run();
    expect((await spine.run(runId)).state).toBe('succeeded');
    expect(await reasonOf(runId)).toMatchObject({ code: 'condition-met', values: { looks: 2 } });
    expect(await watched()).toBe(0);
  });

  it('holds no slot: its own upstream runs on the only one there is (airflow#21892)', async () => {
    const runId = await started({ first: answer(), second: answer(), up: { kind: 'shell' } });
    await replica.end([{ attemptId: (await replica.runReady(runId)).get('up')!.id }]);
    expect(await spine.taskStates(runId)).toEqual({ first: 'blocked', second: 'blocked', up: 'succeeded' });
    expect(
      await spine.sql.query('select 1 from attempts a join task_runs t on t.id = a.task_run_id where t.run_id = $1 and t.task_key <> $2', [
        runId,
        'up',
      ]),
    ).toEqual([]);
    await replica.cancel(runId);
    await nextIsDue();
    await replica.passes.watch.run();
    expect(await watched()).toBe(0);
  });

  it('is looked at by one server at a time, and by another once that one is gone', async () => {
    const other = await spine.replica({ env });
    const runId = await started({ wait: answer() });
    meanwhile = () => other.passes.watch.run();
    await Promise.all([replica.passes.watch.run(), other.passes.watch.run()]);
    expect(asked).toHaveLength(1);
    meanwhile = async () => {};
    status = 200;
    const restarted = await spine.replica({ env });
    await nextIsDue();
    await restarted.passes.watch.run();
    expect(await stateOf(runId)).toBe('succeeded');
  });

  it('holds no lock while it is asked: cancelled or marked meanwhile, it stays so', async () => {
    status = 200;
    const cancelled = await started({ wait: answer() });
    meanwhile = () => replica.cancel(cancelled);
    await replica.passes.watch.run();
    expect(await stateOf(cancelled)).toBe('cancelled');
    const skipped = await started({ wait: answer() });
    const { id } = (await spine.taskRuns(skipped)).get('wait')!;
    meanwhile = () => replica.mark(id, 'skipped');
    await replica.passes.watch.run();
    expect(await stateOf(skipped)).toBe('skipped');
    expect(await watched()).toBe(0);
  });

  it('ends as a final task of a run that is being cancelled, and is watched until then', async () => {
    const runId = await started({ a: {}, wait: { ...answer(), isFinal: true } });
    await replica.cancel(runId);
    await replica.passes.unplaced.run();
    await replica.passes.watch.run();
    expect([await stateOf(runId), await watched()]).toEqual(['blocked', 1]);
    status = 200;
    await nextIsDue();
    await replica.passes.watch.run();
    expect(await spine.taskStates(runId)).toEqual({ a: 'cancelled', wait: 'succeeded' });
    expect([(await spine.run(runId)).state, await watched()]).toEqual(['cancelled', 0]);
  });

  it('that has ended is looked at no more, whatever an earlier version left with it', async () => {
    const runId = await started({ wait: time({ forSeconds: 3600 }) });
    await replica.mark((await spine.taskRuns(runId)).get('wait')!.id, 'succeeded');
    const left = await spine.sql.query('select next_look_at from task_runs where run_id = $1', [runId]);
    expect(left).toEqual([{ next_look_at: null }]);
    await spine.damage(`update task_runs set next_look_at = clock_timestamp() - interval '1 hour' where run_id = $1`, [runId]);
    expect((await replica.passes.unplaced.run()).wakeInMs).toBeUndefined();
    await spine.damage('update task_runs set next_look_at = null where run_id = $1', [runId]);
  });

  it('ends at its deadline as `onDeadline` says', async () => {
    const runId = await started({ wait: { ...answer(), deadlineSeconds: 0.05, onDeadline: 'skip' } });
    await replica.passes.watch.run();
    await waitFor(async () => {
      await replica.passes.deadline.run();
      return (await stateOf(runId)) === 'skipped';
    });
    await nextIsDue();
    await replica.passes.watch.run();
    expect(asked).toHaveLength(1);
  });

  it('waits until an instant or for a duration, and survives the server that began it', async () => {
    const soon = new Date(Date.now() + 400).toISOString();
    const runId = await started({ at: time({ until: soon }), past: time({ forSeconds: 0 }), late: time({ forSeconds: 86_400 }) });
    expect(await spine.taskStates(runId)).toEqual({ at: 'blocked', past: 'succeeded', late: 'blocked' });
    expect(await reasonOf(runId, 'at')).toMatchObject({ code: 'waiting-for-time', values: { at: soon } });
    const other = await spine.replica({ env });
    await waitFor(async () => {
      await other.passes.unplaced.run();
      return (await stateOf(runId, 'at')) === 'succeeded';
    });
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(soon));
    expect(await reasonOf(runId, 'at')).toMatchObject({ code: 'time-came', values: { at: soon } });
    expect(await stateOf(runId, 'late')).toBe('blocked');
    await replica.cancel(runId);
  });

  it('fails, and says why, where its instant or address is none', async () => {
    const runId = await started({ at: time({ until: 'soon' }), wait: answer({ url: 'ftp://lake' }) });
    expect(await spine.taskStates(runId)).toEqual({ at: 'failed', wait: 'failed' });
    const explanation = { code: 'until-not-an-instant', values: { value: 'soon' } };
    expect(await reasonOf(runId, 'at')).toMatchObject({ text: expect.stringContaining('`until` is `soon`'), explanation });
    expect(await reasonOf(runId)).toMatchObject({ code: 'reference-invalid', explanation: { code: 'look-address-invalid' } });
  });

  it('is not let near the server itself unless that is allowed', async () => {
    const careful = await spine.replica();
    const runId = await started({ wait: answer() });
    await careful.passes.watch.run();
    expect(asked).toEqual([]);
    expect(await reasonOf(runId)).toMatchObject({ values: { found: { code: 'address-of-server', values: { address: '127.0.0.1' } } } });
    await replica.cancel(runId);
  });

  it('goes on by itself on a whole server, which tells why it waits', async () => {
    const server = await startTestServer(env);
    const url = `http://127.0.0.1:${(lake.address() as AddressInfo).port}/`;
    const tasks = { pause: { kind: 'wait-for', for: '50ms' }, wait: { kind: 'wait-for', needs: ['pause'], http: { url }, every: '1s' } };
    const { workflowId } = await server.admin.post<ApplyAnswer>('/workflows/apply', aWorkflow(tasks as never, { workflow: 'waits' }));
    const run = await server.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
    const [, wait] = (await server.admin.get<RunTasks>(`/runs/${run.id}/tasks`)).items;
    await waitFor(async () => {
      const { reason } = await server.admin.get<Why>(`/task-runs/${wait!.id}/why`);
      return (reason?.values as { found?: { values: object } })?.found?.values;
    });
    status = 200;
    await waitFor(async () => (await server.admin.get<RunView>(`/runs/${run.id}`)).state === 'succeeded');
    await server.close();
  });
});

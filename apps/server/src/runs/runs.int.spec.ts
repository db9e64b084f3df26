import type {
  ApplyAnswer,
  AuditEvent,
  AuditEventDetail,
  Page,
  PoolView,
  RunEvent,
  RunListItem,
  RunTasks,
  RunView,
  ScheduleView,
  TaskRunView,
  Why,
} from '@medley/contracts';
import { uuidv7 } from '@medley/database';
import { aFanOutFanIn, aWorkflow, manyTasks, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemFrom } from '../testing/problem.js';
import { TestAgent } from '../testing/test-agent.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';
import { unguarded } from '../testing/unguarded.js';
import { WakeBus } from '../wake/wake-bus.js';

describe('runs', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  const apply = async (name: string, tasks: Parameters<typeof aWorkflow>[0], fields = {}) =>
    (await server.admin.post<ApplyAnswer>('/workflows/apply', aWorkflow(tasks, { workflow: name, ...fields }))).workflowId!;
  const start = (workflowId: string, body: object = {}) => server.admin.post<RunView>(`/workflows/${workflowId}/runs`, body);
  const startWithKey = (workflowId: string, key: string, body = '{}') =>
    server.admin.request('POST', `/workflows/${workflowId}/runs`, {
      body,
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
    });
  const tasksOf = async (runId: string) => (await server.admin.get<RunTasks>(`/runs/${runId}/tasks`)).items;
  const runCount = async (workflowId: string) =>
    Number((await server.source.query('select count(*) from runs where workflow_id = $1', [workflowId]))[0].count);

  it('begin with their roots ready and the others waiting, placed by the longest remaining path', async () => {
    const run = await start(await apply('fan', aFanOutFanIn(3)));
    expect(run).toMatchObject({ trigger: 'manual', createdBy: 'admin', taskCount: 5, workflowVersion: 1 });
    const rows = await server.source.query('select task_key, state, rank, ready_at from task_runs where run_id = $1 order by position', [
      run.id,
    ]);
    expect(rows.map((row: { task_key: string; rank: number }) => [row.task_key, row.rank])).toEqual([
      ['start', 30],
      ['part-1', 20],
      ['part-2', 20],
      ['part-3', 20],
      ['end', 10],
    ]);
    expect(rows.slice(1).map((row: { state: string }) => row.state)).toEqual(['waiting', 'waiting', 'waiting', 'waiting']);
    expect(['ready', 'blocked']).toContain(rows[0].state);
    expect(rows[0].ready_at).toBeInstanceOf(Date);
  });

  it('of 5,000 tasks are created and shown whole', async () => {
    const workflowId = await apply('wide', { root: { run: 'true' }, ...manyTasks('t', 4999, () => ({ run: 'true', needs: ['root'] })) });
    const run = await start(workflowId);
    expect(run.counts.waiting).toBe(4999);
    expect(await tasksOf(run.id)).toHaveLength(5000);
  });

  it('take parameters by value and refuse wrong ones with every fault, leaving nothing behind', async () => {
    const parameters = { day: { type: 'date' }, size: { type: 'integer', default: 3 } };
    const workflowId = await apply('parameters', { a: { run: 'true' } }, { parameters });
    const problem = await problemFrom(start(workflowId, { parameters: { size: 'big', dya: '2026-01-01' } }));
    expect(problem).toMatchObject({ status: 400, code: 'parameter-invalid' });
    expect(problem.fields!.map((field) => field.path).toSorted()).toEqual(['parameters.day', 'parameters.dya', 'parameters.size']);
    expect(await runCount(workflowId)).toBe(0);
    expect((await start(workflowId, { parameters: { day: '2026-01-31' } })).parameters).toEqual({ day: '2026-01-31', size: 3 });
  });

  it('are created once per idempotency key, also when both calls come at once', async () => {
    const workflowId = await apply('idempotent', { a: { run: 'true' } });
    const answers = await Promise.all([startWithKey(workflowId, 'k1'), startWithKey(workflowId, 'k1'), startWithKey(workflowId, 'k1')]);
    const ids = await Promise.all(answers.map(async (answer) => ((await answer.json()) as RunView).id));
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201]);
    expect(new Set(ids).size).toBe(1);
    expect(await runCount(workflowId)).toBe(1);
    const other = await startWithKey(workflowId, 'k1', '{"version": 1}');
    expect([other.status, ((await other.json()) as { code: string }).code]).toEqual([409, 'idempotency-key-reused']);
    expect(await runCount(workflowId)).toBe(1);
  });

  it('forget an idempotency key whose call failed', async () => {
    const workflowId = await apply('retried', { a: { run: 'true' } }, { parameters: { day: { type: 'date' } } });
    expect((await startWithKey(workflowId, 'k2')).status).toBe(400);
    expect((await startWithKey(workflowId, 'k2', '{"parameters": {"day": "2026-01-01"}}')).status).toBe(201);
  });

  it('tell a waiting task run what it waits for', async () => {
    const run = await start(await apply('chain', { a: { run: 'true' }, b: { run: 'true', needs: ['a'] } }));
    const [a, b] = await tasksOf(run.id);
    const why = await server.admin.get<Why>(`/task-runs/${b!.id}/why`);
    expect(why).toMatchObject({ state: 'waiting', reason: { code: 'waiting-for-parents', text: expect.stringContaining('a (') } });
    expect(why.parents).toMatchObject([{ taskRunId: a!.id, key: 'a', needed: 'succeeded', satisfied: false }]);
    const blocked = await waitFor(async () => {
      const answer = await server.admin.get<Why>(`/task-runs/${a!.id}/why`);
      return answer.state === 'blocked' && answer;
    });
    expect(blocked.reason).toMatchObject({ code: 'no-node', text: expect.stringContaining('no node') });
    const view = await server.admin.get<TaskRunView>(`/task-runs/${b!.id}`);
    expect(view).toMatchObject({ key: 'b', attempts: [], spec: { key: 'b', script: 'true' }, pool: 'default' });
  });

  it('of a schedule keep their fire time when they are run again', async () => {
    const parameters = { day: { type: 'date', default: '${{ schedule.date }}' } };
    const schedules = { minutely: { cron: '* * * * *', zone: 'Asia/Shanghai' } };
    const workflowId = await apply('fired', { a: { run: 'true' } }, { parameters, schedules });
    await server.source.query(`update schedules set next_fire_at = date_trunc('minute', now()) where workflow_id = $1`, [workflowId]);
    const fired = await waitFor(async () => {
      const page = await server.admin.get<Page<RunListItem>>(`/runs?workflowId=${workflowId}&trigger=schedule`);
      return page.items[0] && server.admin.get<RunView>(`/runs/${page.items[0].id}`);
    });
    await server.admin.post(`/runs/${fired.id}/cancel`);
    const again = await server.admin.post<RunView>(`/runs/${fired.id}/rerun`, { mode: 'all' });
    expect(again).toMatchObject({ trigger: 'rerun', schedule: 'minutely', fireAt: fired.fireAt, parameters: fired.parameters });
    await server.admin.post(`/runs/${again.id}/cancel`);
    const [schedule] = (await server.admin.get<Page<ScheduleView>>(`/schedules?workflowId=${workflowId}`)).items;
    await server.admin.patch(`/schedules/${schedule!.id}`, { enabled: false });
  });

  it('are cancelled at once when nothing runs', async () => {
    const run = await start(await apply('cancel-waiting', aFanOutFanIn(2)));
    const cancelled = await server.admin.post<RunView>(`/runs/${run.id}/cancel`);
    expect(cancelled).toMatchObject({ state: 'cancelled', counts: { cancelled: 4 } });
    expect(cancelled.finishedAt).not.toBeNull();
    expect(await problemFrom(server.admin.post(`/runs/${run.id}/cancel`))).toMatchObject({ status: 409, code: 'run-not-cancellable' });
  });

  it('are listed newest first in pages, filtered, with ten thousand there', async () => {
    const workflowId = await apply('many', { a: { run: 'true' } });
    const ids = Array.from({ length: 10_000 }, () => uuidv7());
    await unguarded(
      server.source,
      `insert into runs (id, project_id, workflow_id, workflow_version, state, trigger, task_count, open_tasks, finished_at)
       select i.id, w.project_id, w.id, 1, case when i.n % 100 = 0 then 'failed' else 'succeeded' end, 'manual', 1, 0, now()
       from unnest($1::uuid[]) with ordinality as i(id, n) join workflows w on w.id = $2`,
      [ids, workflowId],
    );
    const first = await server.admin.get<Page<RunListItem>>(`/runs?workflowId=${workflowId}&limit=200`);
    expect(first.items.map((run) => run.id)).toEqual(ids.toReversed().slice(0, 200));
    const second = await server.admin.get<Page<RunListItem>>(`/runs?workflowId=${workflowId}&limit=200&cursor=${first.nextCursor}`);
    expect(second.items.map((run) => run.id)).toEqual(ids.toReversed().slice(200, 400));
    const failed = await server.admin.get<Page<RunListItem>>(`/runs?workflowId=${workflowId}&state=failed,cancelled&limit=200`);
    expect([failed.items.length, failed.nextCursor]).toEqual([100, null]);
    expect(await problemFrom(server.admin.get('/runs?limit=201'))).toMatchObject({ status: 400, fields: [{ path: 'limit' }] });
    const elsewhere = `/runs?workflowId=${workflowId}&state=failed&cursor=${first.nextCursor}`;
    expect(await problemFrom(server.admin.get(elsewhere))).toMatchObject({ status: 400, code: 'cursor-invalid' });
    expect(await problemFrom(server.admin.get(`/workflows?cursor=${first.nextCursor}`))).toMatchObject({ code: 'cursor-invalid' });
  });

  it('that a schedule could not start say why, and are run again with the values of that fire once it is mended', async () => {
    const pool = await server.admin.post<PoolView>('/pools', { name: 'leaving' });
    const due = new Date(Math.floor(Date.now() / 1000 - 1) * 1000);
    const cron = `${due.getUTCSeconds()} ${due.getUTCMinutes()} ${due.getUTCHours()} ${due.getUTCDate()} ${due.getUTCMonth() + 1} *`;
    const workflowId = await apply(
      'late',
      { a: { run: 'true', pool: 'leaving' } },
      {
        parameters: { day: { type: 'date' } },
        schedules: { yearly: { cron, parameters: { day: '${{ schedule.date }}' } } },
      },
    );
    await server.admin.delete(`/pools/${pool.id}`);
    await server.source.query('update schedules set next_fire_at = $2 where workflow_id = $1', [workflowId, due]);
    server.app.get(WakeBus).fire();
    const failed = await waitFor(async () => (await server.admin.get<Page<RunListItem>>(`/runs?workflowId=${workflowId}`)).items[0]);
    const run = await server.admin.get<RunView>(`/runs/${failed.id}`);
    expect(run).toMatchObject({ state: 'failed', fireAt: due.toISOString(), taskCount: 0, reason: { code: 'workflow-invalid' } });
    expect(run.reason!.text).toContain('There is no pool named `leaving`');
    await server.admin.post<PoolView>('/pools', { name: 'leaving' });
    const again = await server.admin.post<RunView>(`/runs/${run.id}/rerun`, { mode: 'failed' });
    expect(again).toMatchObject({ taskCount: 1, parameters: { day: run.fireAt!.slice(0, 10) }, reason: null });
  });

  describe('with an agent', () => {
    let agent: TestAgent;
    beforeAll(async () => {
      await server.source.query(`update runs set state = 'cancelled', finished_at = now(), open_tasks = 0 where finished_at is null`);
      await server.source.query(`update task_runs set state = 'cancelled', finished_at = now() where finished_at is null`);
      agent = await TestAgent.join(server.url, server.credentials.joinToken);
    });

    const used = async () =>
      (await server.source.query('select cpu_millis, attempts from node_usage where node_id = $1', [agent.nodeId]))[0];
    const free = { cpu_millis: 0, attempts: 0 };
    const stateOf = async (runId: string) => (await server.admin.get<RunView>(`/runs/${runId}`)).state;

    it('release what a sent but unclaimed attempt held, and refuse its claim', async () => {
      const run = await start(await apply('cancel-dispatched', { a: { run: 'true' } }));
      const [dispatch] = await agent.receive();
      expect(await used()).toEqual({ cpu_millis: 1000, attempts: 1 });
      expect(await server.admin.post<RunView>(`/runs/${run.id}/cancel`)).toMatchObject({ state: 'cancelled' });
      expect(await used()).toEqual(free);
      expect(await agent.claim(dispatch!)).toMatchObject({ granted: false });
      expect(await tasksOf(run.id)).toMatchObject([{ state: 'cancelled', attempt: { state: 'cancelled' } }]);
    });

    it('hold a running attempt until its agent has verified the exit', async () => {
      const run = await start(await apply('cancel-running', { a: { run: 'sleep 60' }, b: { run: 'true', needs: ['a'] } }));
      const [dispatch] = await agent.receive();
      expect(await agent.claim(dispatch!)).toMatchObject({ granted: true, work: { script: 'sleep 60' } });
      expect(await server.admin.post<RunView>(`/runs/${run.id}/cancel`)).toMatchObject({
        state: 'cancelling',
        counts: { running: 1, cancelled: 1 },
      });
      expect(await server.admin.post<RunView>(`/runs/${run.id}/cancel`)).toMatchObject({ state: 'cancelling' });
      expect(await agent.receiveStop(dispatch!.attemptId)).toMatchObject({ reason: 'cancelled', fence: dispatch!.fence });
      expect(await used()).toEqual({ cpu_millis: 1000, attempts: 1 });
      const [a] = await tasksOf(run.id);
      expect(await server.admin.get<Why>(`/task-runs/${a!.id}/why`)).toMatchObject({ reason: { code: 'stopping' } });
      await agent.finish(dispatch!, 'cancelled', null);
      await waitFor(async () => (await stateOf(run.id)) === 'cancelled');
      expect(await used()).toEqual(free);
    });

    it('cancel a task that waits for its retry', async () => {
      const run = await start(await apply('cancel-retry', { a: { run: 'false', retry: { attempts: 3, delay: '10m' } } }));
      await agent.run(1, 'failed');
      const [a] = await waitFor(async () => {
        const tasks = await tasksOf(run.id);
        return tasks[0]!.state === 'retry-wait' && tasks;
      });
      expect(await server.admin.get<Why>(`/task-runs/${a!.id}/why`)).toMatchObject({
        reason: { code: 'retry-wait', text: expect.stringContaining('failed on alpha with exit code 1') },
      });
      expect(await server.admin.post<RunView>(`/runs/${run.id}/cancel`)).toMatchObject({ state: 'cancelled' });
      expect(await used()).toEqual(free);
    });

    it('are run again with what succeeded kept', async () => {
      const tasks = { a: { run: 'true' }, b: { run: 'false', needs: ['a'] }, c: { run: 'true', needs: ['b'] } };
      const run = await start(await apply('rerun', tasks));
      expect(await problemFrom(server.admin.post(`/runs/${run.id}/rerun`))).toMatchObject({ status: 409, code: 'run-not-rerunnable' });
      await agent.run(1, 'succeeded');
      await agent.run(1, 'failed');
      await waitFor(async () => (await stateOf(run.id)) === 'failed');
      const before = await tasksOf(run.id);
      expect(before.map((task) => task.state)).toEqual(['succeeded', 'failed', 'skipped']);
      const again = await server.admin.post<RunView>(`/runs/${run.id}/rerun`, { mode: 'failed' });
      expect(again).toMatchObject({ trigger: 'rerun', rerunOf: run.id, workflowVersion: 1 });
      expect(await tasksOf(again.id)).toMatchObject([
        { state: 'succeeded', keptFrom: before[0]!.id },
        { key: 'b', keptFrom: null },
        { state: 'waiting' },
      ]);
      await agent.run(2, 'succeeded');
      await waitFor(async () => (await stateOf(again.id)) === 'succeeded');
      expect(await problemFrom(server.admin.post(`/runs/${again.id}/rerun`))).toMatchObject({ code: 'run-has-no-work' });
      const third = await server.admin.post<RunView>(`/runs/${again.id}/rerun`, { mode: 'all' });
      expect((await tasksOf(third.id)).map((task) => task.keptFrom)).toEqual([null, null, null]);
      await agent.run(3, 'succeeded');
      await waitFor(async () => (await stateOf(third.id)) === 'succeeded');
      expect(await used()).toEqual(free);
    });

    it('are paused, resumed and marked by name, with the reason in the task, the history and the audit', async () => {
      const run = await start(await apply('steered', { a: { run: 'true' }, b: { run: 'true', needs: ['a'] } }));
      expect(await server.admin.post<RunView>(`/runs/${run.id}/pause`)).toMatchObject({ state: 'paused', pausedBy: 'admin' });
      const [a] = await tasksOf(run.id);
      expect(await server.admin.get<Why>(`/task-runs/${a!.id}/why`)).toMatchObject({ state: 'paused', reason: { code: 'run-paused' } });
      expect(await server.admin.post<RunView>(`/runs/${run.id}/resume`)).toMatchObject({ state: 'queued', pausedBy: null });

      const mark = { as: 'succeeded', reason: 'the file is there already' };
      const marked = await server.admin.post(`/task-runs/${a!.id}/mark`, mark);
      expect(marked).toMatchObject({
        state: 'succeeded',
        mark: null,
        reason: { code: 'marked', values: { by: 'admin', as: 'succeeded' } },
      });
      expect(await problemFrom(server.admin.post(`/task-runs/${a!.id}/mark`, mark))).toMatchObject({ status: 409, code: 'task-run-ended' });
      await agent.run(1, 'succeeded');
      await waitFor(async () => (await stateOf(run.id)) === 'succeeded');

      const { items } = await server.admin.get<Page<RunEvent>>(`/runs/${run.id}/history?level=compact`);
      expect(items.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['run-paused', 'run-resumed', 'task-ended']));
      const audited = await server.admin.get<Page<AuditEvent>>(`/audit?action=markTaskRun&outcome=succeeded&entityId=${run.id}`);
      expect(await server.admin.get<AuditEventDetail>(`/audit/${audited.items[0]!.id}`)).toMatchObject({
        outcome: 'succeeded',
        after: { task: 'a', markedAs: 'succeeded', reason: mark.reason },
      });
      const preview = await server.admin.get(`/runs/${run.id}/rerun-preview?mode=from&tasks=b`);
      expect(preview).toMatchObject({ kept: [{ key: 'a' }], anew: [{ key: 'b' }], unmet: [] });
    });

    it('are run again with changed parameters, which are checked as at a start', async () => {
      const id = await apply(
        'tuned',
        { a: { run: 'true' } },
        { parameters: { count: { type: 'integer', default: 1 }, day: { type: 'date', default: '2026-01-01' } } },
      );
      const run = await start(id);
      await agent.run(1, 'succeeded');
      await waitFor(async () => (await stateOf(run.id)) === 'succeeded');
      const again = (parameters: object) => server.admin.post<RunView>(`/runs/${run.id}/rerun`, { mode: 'all', parameters });
      expect(await problemFrom(again({ count: 'many' }))).toMatchObject({ status: 400, code: 'parameter-invalid' });
      const next = await again({ count: 2 });
      expect(next.parameters).toEqual({ count: 2, day: '2026-01-01' });
      await server.admin.post(`/runs/${next.id}/cancel`);
    });
  });
});

import type { ApplyAnswer, Approval, Page, RerunPreview, RunTasks, RunView, Why } from '@medley/contracts';
import type { ProjectRole } from '@medley/core';
import { aWorkflow, type RestClient, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cast } from '../testing/cast.fixture.js';
import { problemFrom } from '../testing/problem.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

describe('an approval', () => {
  let server: TestServer;
  let ada: RestClient;
  let cast: Cast;
  let projectId: string;
  beforeAll(async () => {
    server = await startTestServer();
    await apply('first', {});
    projectId = (await server.admin.get<{ items: { id: string }[] }>('/projects')).items[0]!.id;
    cast = new Cast(server);
    ada = await withRole('viewer');
  });
  afterAll(() => server.close());

  const approve = { kind: 'approval', by: ['user:player-1', 'role:developer'] };
  const apply = async (name: string, fields: object) =>
    (
      await server.admin.post<ApplyAnswer>(
        '/workflows/apply',
        aWorkflow({ approve: { ...approve, ...fields }, after: { kind: 'noop', needs: ['approve'] } } as never, { workflow: name }),
      )
    ).workflowId!;
  const begin = async (name: string, fields: object = {}) => {
    const run = await server.admin.post<RunView>(`/workflows/${await apply(name, fields)}/runs`, {});
    const task = (await server.admin.get<RunTasks>(`/runs/${run.id}/tasks`)).items[0]!;
    return { run, taskRunId: task.id };
  };
  const waits = (taskRunId: string) =>
    waitFor(async () => (await server.admin.get<Page<Approval>>('/approvals')).items.find((each) => each.taskRunId === taskRunId));
  const statesOf = async (runId: string) => (await server.admin.get<RunTasks>(`/runs/${runId}/tasks`)).items.map(({ state }) => state);

  let finance: Promise<{ id: string }> | undefined;
  const financeId = async () => {
    finance ??= server.admin.post<{ id: string }>('/groups', { name: 'finance', description: '' });
    return (await finance).id;
  };
  const withRole = async (role: ProjectRole) => (await cast.player({ roles: { [projectId]: role } })).client;

  it('is in the inbox of those it names, says who they are, and holds no slot', async () => {
    const { taskRunId } = await begin('named');
    const approval = await waits(taskRunId);
    expect(approval).toMatchObject({ task: 'approve', workflow: 'named', by: approve.by, startedBy: 'admin', mayDecide: true });
    expect((await ada.get<Page<Approval>>('/approvals?mine=true')).items.map((each) => each.taskRunId)).toContain(taskRunId);
    const bob = await withRole('operator');
    expect((await bob.get<Page<Approval>>('/approvals?mine=true')).items).toEqual([]);
    expect((await bob.get<Page<Approval>>('/approvals')).items.find((each) => each.taskRunId === taskRunId)).toMatchObject({
      mayDecide: false,
    });
    expect((await server.admin.get<Page<Approval>>('/approvals?mine=true&search=NAMED')).items).toHaveLength(1);
    expect((await server.admin.get<Page<Approval>>('/approvals?mine=true&search=other')).items).toEqual([]);
    expect(await ada.get<Why>(`/task-runs/${taskRunId}/why`)).toMatchObject({
      state: 'blocked',
      reason: { code: 'waiting-for-approval', values: { by: approve.by } },
    });
    expect(await problemFrom(bob.post(`/task-runs/${taskRunId}/decision`, { decision: 'approve' }))).toMatchObject({
      code: 'permission-denied',
    });
    expect(await problemFrom(bob.post(`/task-runs/${taskRunId}/mark`, { as: 'succeeded', reason: 'no' }))).toMatchObject({
      code: 'permission-denied',
    });
    expect((await server.source.query('select 1 from attempts')).length).toBe(0);
  });

  it.each([['role:viewer'], ['role:operator', 'user:player-99'], ['role:admin'], ['group:finance']])(
    'for %s is in the list of mine of exactly those who may decide, and in that of everyone who may see it',
    async (...by) => {
      const { run } = await begin(`of-${by[0]!.replace(':', '-')}`, { by });
      const named = await cast.player({ roles: { [projectId]: 'viewer' } });
      await server.admin.post(`/groups/${await financeId()}/members`, { userId: named.id });
      const elsewhere = await cast.project(`elsewhere-${named.name}`);
      const guest = await cast.player({ roles: { [projectId]: 'viewer', [elsewhere]: 'admin' } });
      const operator = await cast.player({ roles: { [projectId]: 'operator' } });
      const listOf = async (client: RestClient, more = '') =>
        (await client.get<Page<Approval>>(`/approvals?runId=${run.id}${more}`)).items.map(({ mayDecide }) => mayDecide);
      await waitFor(async () => (await listOf(server.admin)).length === 1);
      for (const client of [named.client, guest.client, operator.client, server.admin]) {
        const [mayDecide] = await listOf(client);
        expect(await listOf(client, '&mine=true')).toEqual(mayDecide ? [true] : []);
      }
      expect(await listOf(guest.client)).toEqual([by[0] === 'role:viewer']);
      expect(await listOf(named.client)).toEqual([by[0] === 'role:viewer' || by[0] === 'group:finance']);
    },
  );

  it('goes on when one of them approves, once, with who and why kept; a rejection fails it', async () => {
    const approved = await begin('approved');
    await waits(approved.taskRunId);
    const decide = (client: RestClient, id: string, decision: string) =>
      client.post(`/task-runs/${id}/decision`, { decision, comment: 'looks right' });
    const both = await Promise.allSettled([
      decide(ada, approved.taskRunId, 'approve'),
      decide(server.admin, approved.taskRunId, 'approve'),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await server.admin.get<Why>(`/task-runs/${approved.taskRunId}/why`)).toMatchObject({
      state: 'succeeded',
      reason: { code: 'approved', values: { comment: 'looks right' } },
    });
    expect((await statesOf(approved.run.id))[0]).toBe('succeeded');

    const rejected = await begin('rejected');
    await waits(rejected.taskRunId);
    await decide(ada, rejected.taskRunId, 'reject');
    expect(await statesOf(rejected.run.id)).toEqual(['failed', 'skipped']);
    const events = await server.source.query(
      `select actor_name, after from audit_events where action = 'decideApproval' and outcome = 'succeeded' order by id`,
    );
    expect(events.at(-1)).toMatchObject({ actor_name: 'player-1', after: { decision: 'reject', comment: 'looks right', task: 'approve' } });
  });

  it('that nobody decides ends at its deadline as `onDeadline` says', async () => {
    const ends = { fail: 'failed', skip: 'skipped', succeed: 'succeeded' };
    const begun = await Promise.all(Object.keys(ends).map((onDeadline) => begin(`late-${onDeadline}`, { deadline: '200ms', onDeadline })));
    for (const [index, { run, taskRunId }] of begun.entries()) {
      await waitFor(async () => (await statesOf(run.id))[0] === Object.values(ends)[index]);
      expect(await server.admin.get<Why>(`/task-runs/${taskRunId}/why`)).toMatchObject({ reason: { code: 'deadline' } });
    }
  });

  it('can be taken where it is a final task of a run that is being cancelled', async () => {
    const workflow = aWorkflow({ work: { kind: 'wait-for', for: '1h' } } as never, { workflow: 'tidied' });
    const finals = { release: { ...approve, kind: 'approval' } };
    const { workflowId } = await server.admin.post<ApplyAnswer>('/workflows/apply', { ...(workflow as object), finally: finals });
    const run = await server.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
    const [work, release] = (await server.admin.get<RunTasks>(`/runs/${run.id}/tasks`)).items;
    await server.admin.post(`/runs/${run.id}/cancel`);
    await waits(release!.id);
    const refused = await problemFrom(server.admin.post(`/task-runs/${work!.id}/mark`, { as: 'succeeded', reason: 'late' }));
    expect(refused).toMatchObject({ code: 'task-run-ended' });
    await ada.post(`/task-runs/${release!.id}/decision`, { decision: 'approve' });
    expect(await statesOf(run.id)).toEqual(['cancelled', 'succeeded']);
    expect((await server.admin.get<RunView>(`/runs/${run.id}`)).state).toBe('cancelled');
  });

  it('is not carried over to other parameters by a rerun: the preview names it, and the refusal says which values changed', async () => {
    const workflow = aWorkflow({ approve, pay: { kind: 'wait-for', for: '10ms', needs: ['approve'] } } as never, { workflow: 'pays' });
    const parameters = { amount: { type: 'integer', default: 10 }, to: { type: 'string', default: 'ada' } };
    const { workflowId } = await server.admin.post<ApplyAnswer>('/workflows/apply', { ...(workflow as object), parameters });
    const run = await server.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
    const [asked] = (await server.admin.get<RunTasks>(`/runs/${run.id}/tasks`)).items;
    await waits(asked!.id);
    await ada.post(`/task-runs/${asked!.id}/decision`, { decision: 'approve' });
    await waitFor(async () => (await server.admin.get<RunView>(`/runs/${run.id}`)).state === 'succeeded');

    const bob = await withRole('operator');
    const rerun = (tasks: string[], values: object) =>
      bob.post<RunView>(`/runs/${run.id}/rerun`, { mode: 'from', tasks, parameters: values });
    const preview = await bob.get<RerunPreview>(`/runs/${run.id}/rerun-preview?mode=from&tasks=pay`);
    expect(preview.keptApprovals).toEqual(['approve']);
    const refused = await problemFrom(rerun(['pay'], { amount: 10_000, to: 'ada' }));
    expect(refused).toMatchObject({ code: 'run-not-rerunnable', detail: expect.stringContaining('`approve`') });
    expect(refused.fields?.map(({ path }) => path)).toEqual(['parameters.amount']);

    expect(await statesOf((await rerun(['pay'], { amount: 10 })).id)).toMatchObject(['succeeded', expect.anything()]);
    const again = await rerun(['approve'], { amount: 10_000 });
    const [anew] = (await server.admin.get<RunTasks>(`/runs/${again.id}/tasks`)).items;
    expect(await waits(anew!.id)).toMatchObject({ runId: again.id });
  });

  it('is not kept where what it was given for runs again', async () => {
    const wait = (needs: string[]) => ({ kind: 'wait-for', for: '10ms', needs });
    const tasks = { raw: { ...wait([]) }, approve: { ...approve, needs: ['raw'] }, pay: wait(['approve']), other: wait([]) };
    const { workflowId } = await server.admin.post<ApplyAnswer>('/workflows/apply', aWorkflow(tasks as never, { workflow: 'overtaken' }));
    const run = await server.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
    const [, asked] = (await server.admin.get<RunTasks>(`/runs/${run.id}/tasks`)).items;
    await waits(asked!.id);
    await ada.post(`/task-runs/${asked!.id}/decision`, { decision: 'approve' });
    await waitFor(async () => (await server.admin.get<RunView>(`/runs/${run.id}`)).state === 'succeeded');

    const alone = (chosen: string[]) =>
      server.admin.post<RunView>(`/runs/${run.id}/rerun`, { mode: 'from', tasks: chosen, descendants: false });
    const preview = (chosen: string) =>
      server.admin.get<RerunPreview>(`/runs/${run.id}/rerun-preview?mode=from&tasks=${chosen}&descendants=false`);
    expect((await preview('raw,pay')).overtakenApprovals).toEqual(['approve']);
    const refused = await problemFrom(alone(['raw', 'pay']));
    expect(refused).toMatchObject({ code: 'run-not-rerunnable', fields: [{ path: 'tasks' }] });
    expect((await preview('pay,other')).overtakenApprovals).toEqual([]);
    await alone(['pay', 'other']);
    await alone(['raw', 'approve', 'pay']);
  });

  it('can be taken in a paused run, and what follows waits for the resume', async () => {
    const { run, taskRunId } = await begin('paused');
    await waits(taskRunId);
    await server.admin.post(`/runs/${run.id}/pause`);
    await ada.post(`/task-runs/${taskRunId}/decision`, { decision: 'approve' });
    expect(await statesOf(run.id)).toEqual(['succeeded', 'paused']);
  });
});

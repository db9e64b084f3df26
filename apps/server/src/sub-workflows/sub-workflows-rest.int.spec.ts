import type { DryRun, Page, RunEvent, RunListItem, RunTasks, RunView, Why, WorkflowDag } from '@medley/contracts';
import { aWorkflow, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemFrom } from '../testing/problem.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

const runs = (workflow: string, fields: object = {}) => ({ kind: 'workflow', workflow, ...fields });
const shell = { run: 'true' };

describe('workflows that run others', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  const apply = (workflow: string, tasks: Parameters<typeof aWorkflow>[0], more: object = {}, query = '') =>
    server.admin.post<{ workflowId: string }>(`/workflows/apply${query}`, aWorkflow(tasks, { workflow, ...more }));
  const refused = (workflow: string, tasks: Parameters<typeof aWorkflow>[0], query = '') => problemFrom(apply(workflow, tasks, {}, query));
  const start = (workflowId: string, parameters = {}) => server.admin.post<RunView>(`/workflows/${workflowId}/runs`, { parameters });
  const get = <Answer>(path: string) => server.admin.get<Answer>(path);
  const childOf = (runId: string) => waitFor(async () => (await get<Page<RunListItem>>(`/runs?parentRunId=${runId}`)).items[0]);
  const untilState = (runId: string, state: string) =>
    waitFor(async () => (await get<RunView>(`/runs/${runId}`)).state === state, { describe: `run in state ${state}` });

  it('are refused when they would run themselves, from whichever side the circle is closed, also by a dry run', async () => {
    await apply('low', { work: shell });
    await apply('mid', { down: runs('low') });
    await apply('top', { down: runs('mid') });
    const circle = { status: 400, code: 'workflow-invalid', detail: expect.stringContaining('low → top → mid → low') };
    expect(await refused('low', { up: runs('top') })).toMatchObject({ ...circle, fields: [{ path: 'tasks.up.workflow' }] });
    expect(await refused('low', { up: runs('top', { version: 1 }) })).toMatchObject(circle);
    expect(await refused('low', { up: runs('top') }, '?dryRun=true')).toMatchObject(circle);
    expect(await refused('top', { down: runs('top') })).toMatchObject({ code: 'workflow-invalid' });
    await apply('mid', { work: shell });
    await apply('low', { up: runs('top') });
    expect(await refused('mid', { down: runs('low') })).toMatchObject({ detail: expect.stringContaining('mid → low → top → mid') });
  });

  it('are refused when two callers close a circle at once', async () => {
    await apply('left', { work: shell });
    await apply('right', { work: shell });
    const answers = await Promise.allSettled([apply('left', { over: runs('right') }), apply('right', { over: runs('left') })]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('nest at most 20 deep: a file that goes deeper is refused, and so is a start where the depth came from below', async () => {
    await apply('d0', { work: shell });
    for (let depth = 1; depth <= 20; depth++) await apply(`d${depth}`, { down: runs(`d${depth - 1}`) });
    expect(await refused('d21', { down: runs('d20') })).toMatchObject({ code: 'workflow-invalid', detail: expect.stringContaining('20') });
    await apply('deeper', { work: shell });
    await apply('d0', { down: runs('deeper') });
    const { items } = await get<Page<{ id: string; name: string }>>('/workflows?search=d20');
    expect(await problemFrom(start(items[0]!.id))).toMatchObject({ code: 'workflow-invalid', detail: expect.stringContaining('20') });
  });

  it('are told with the place in the file when they name what is not there', async () => {
    const yaml = 'medley: 1\nproject: default\nworkflow: typo\ntasks:\n  a: { kind: workflow, workflow: lwo }\n';
    expect((await problemFrom(server.admin.apply(yaml))).fields).toMatchObject([{ path: 'tasks.a.workflow', line: 5 }]);
  });

  it('show their runs from above and from below', async () => {
    const parameters = { day: { type: 'date', default: '2026-01-01' } };
    await apply('inner', { load: shell, check: { run: 'true', needs: ['load'] } }, { parameters });
    await apply('middle', { in: runs('inner', { parameters: { day: '2026-05-06' } }) });
    const { workflowId } = await apply('outer', { first: runs('middle'), next: { run: 'true', needs: ['first'] } });
    const dag = await get<WorkflowDag>(`/workflows/${workflowId}/dag`);
    expect(dag.tasks.map((task) => task.runs)).toEqual([{ workflow: 'middle', version: null }, null]);
    const dry = await server.admin.post<DryRun>(`/workflows/${workflowId}/dry-run`, { parameters: {} });
    expect(dry.tasks[0]).toMatchObject({ key: 'first', runs: { workflow: 'middle', version: 1 }, placement: null });

    const outer = await start(workflowId);
    const middle = await childOf(outer.id);
    expect(middle).toMatchObject({ trigger: 'parent', workflow: 'middle', parent: { runId: outer.id, workflow: 'outer', task: 'first' } });
    const inner = await get<RunView>(`/runs/${(await childOf(middle.id)).id}`);
    expect(inner.parameters).toEqual({ day: '2026-05-06' });
    expect(inner.within.map(({ runId, task }) => [runId, task])).toEqual([
      [outer.id, 'first'],
      [middle.id, 'in'],
    ]);
    const { items } = await get<RunTasks>(`/runs/${outer.id}/tasks`);
    expect(items.map(({ key, child }) => [key, child?.runId ?? null])).toEqual([
      ['first', middle.id],
      ['next', null],
    ]);
    const why = await get<Why>(`/task-runs/${items[0]!.id}/why`);
    expect(why.reason).toMatchObject({ code: 'runs-child', values: { runId: middle.id, workflow: 'middle', total: 1, ended: 0 } });
    const history = await get<Page<RunEvent>>(`/runs/${outer.id}/history`);
    expect(history.items.find(({ kind }) => kind === 'child-started')).toMatchObject({ taskKey: 'first', data: { runId: middle.id } });
    expect((await get<Page<RunEvent>>(`/runs/${middle.id}/history`)).items[0]).toMatchObject({
      kind: 'run-created',
      data: { trigger: 'parent', parentRunId: outer.id, parentWorkflow: 'outer' },
    });

    await server.admin.post(`/runs/${outer.id}/pause`);
    await untilState(inner.id, 'paused');
    expect(await problemFrom(server.admin.post(`/runs/${inner.id}/resume`))).toMatchObject({ status: 409, code: 'run-not-pausable' });
    await server.admin.post(`/runs/${outer.id}/cancel`);
    await untilState(outer.id, 'cancelled');
    expect((await get<RunView>(`/runs/${inner.id}`)).state).toBe('cancelled');
    expect(await problemFrom(server.admin.post(`/runs/${inner.id}/rerun`, { mode: 'all' }))).toMatchObject({ code: 'run-not-rerunnable' });
  });
});

import type {
  ApplyAnswer,
  Page,
  RerunPreview,
  RunAttempts,
  RunBulk,
  RunBulkPreview,
  RunCount,
  RunEvent,
  RunGrid,
  RunListItem,
  RunView,
  WorkflowDag,
} from '@medley/contracts';
import { aWorkflow, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cast } from '../testing/cast.fixture.js';
import { problemFrom } from '../testing/problem.js';
import { TestAgent } from '../testing/test-agent.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

describe('lists of runs', () => {
  let server: TestServer;
  let agent: TestAgent;
  let workflowId: string;
  let runs: RunView[];
  beforeAll(async () => {
    server = await startTestServer();
    agent = await TestAgent.join(server.url, server.credentials.joinToken, 'alpha', 4000);
    const file = aWorkflow({
      first: { run: 'true', resources: { cpu: 1 } },
      second: { run: 'true', needs: ['first'], resources: { cpu: 1 } },
    });
    workflowId = (await server.admin.post<ApplyAnswer>('/workflows/apply', file)).workflowId!;
    runs = [];
    // The first one succeeds, the second fails at its second task, the others wait.
    for (const endings of [['succeeded', 'succeeded'], ['succeeded', 'failed'], [], []] as const) {
      const run = await server.admin.post<RunView>(`/workflows/${workflowId}/runs`);
      for (const ending of endings) {
        const [dispatch] = await agent.receive();
        await agent.claim(dispatch!);
        await agent.finish(dispatch!, ending);
      }
      runs.push(await server.admin.get<RunView>(`/runs/${run.id}`));
    }
  });
  afterAll(() => server.close());

  const idsOf = async (query: string) =>
    (await server.admin.get<Page<RunListItem>>(`/runs?${query}`)).items.map(({ id }) => runs.findIndex((run) => run.id === id));

  it('are sorted by age and by duration, paged by cursor and by number alike', async () => {
    expect(await idsOf('sort=newest')).toEqual([3, 2, 1, 0]);
    expect(await idsOf('sort=oldest')).toEqual([0, 1, 2, 3]);
    expect(await idsOf('sort=longest')).toHaveLength(2);
    expect((await idsOf('sort=shortest')).toReversed()).toEqual(await idsOf('sort=longest'));
    for (const sort of ['newest', 'oldest', 'longest']) {
      const first = await server.admin.get<Page<RunListItem>>(`/runs?sort=${sort}&limit=1`);
      const byCursor = await server.admin.get<Page<RunListItem>>(`/runs?sort=${sort}&limit=1&cursor=${first.nextCursor}`);
      const byNumber = await server.admin.get<Page<RunListItem>>(`/runs?sort=${sort}&limit=1&page=2`);
      expect(byCursor).toEqual(byNumber);
      expect(byCursor.items).toHaveLength(1);
    }
  });

  it('hold what the filter says, and are counted by the same', async () => {
    const { id } = runs[1]!;
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
    const cases: [string, number[]][] = [
      ['state=failed,succeeded', [1, 0]],
      ['state=cancelled', []],
      [`id=${id.slice(-8)}`, [1]],
      [`id=${id}`, [1]],
      ['trigger=schedule', []],
      ['trigger=manual&state=failed', [1]],
      [`since=${hours(-1)}&state=failed`, [1]],
      [`since=${hours(1)}`, []],
      [`until=${hours(-1)}`, []],
      [`until=${hours(1)}&state=failed`, [1]],
      [`workflowId=${workflowId}&state=failed`, [1]],
    ];
    for (const [query, expected] of cases) {
      expect(await idsOf(query), query).toEqual(expected);
      expect(await server.admin.get<RunCount>(`/runs/count?${query}`), query).toEqual({ count: expected.length, isMore: false });
    }
  });

  it('are shown as a grid of tasks and runs', async () => {
    const grid = await server.admin.get<RunGrid>(`/workflows/${workflowId}/grid?limit=3`);
    expect(grid).toMatchObject({ tasks: ['first', 'second'], nodes: ['alpha'], before: runs[1]!.id });
    expect(grid.runs.map(({ id }) => id)).toEqual([runs[3]!.id, runs[2]!.id, runs[1]!.id]);
    expect(grid.runs[2]).toMatchObject({ states: ['succeeded', 'failed'], tries: [1, 1], nodes: [0, 0] });
    const older = await server.admin.get<RunGrid>(`/workflows/${workflowId}/grid?before=${grid.before}`);
    expect(older.runs.map(({ id }) => id)).toEqual([runs[0]!.id]);
  });

  it('lead to every attempt of a run, and to what happened in it, page by page in either order', async () => {
    const { id } = runs[1]!;
    const attempts = await server.admin.get<RunAttempts>(`/runs/${id}/attempts`);
    expect(attempts.items.map(({ taskKey, state, node }) => [taskKey, state, node])).toEqual([
      ['first', 'succeeded', 'alpha'],
      ['second', 'failed', 'alpha'],
    ]);
    const whole = (await server.admin.get<Page<RunEvent>>(`/runs/${id}/history`)).items;
    const kinds = whole.map(({ kind, taskKey }) => (taskKey ? `${kind} ${taskKey}` : kind));
    expect(kinds.filter((kind) => kind.startsWith('run-'))).toEqual(['run-created', 'run-started', 'run-ended']);
    expect(kinds.filter((kind) => kind.endsWith(' second'))).toEqual(
      ['task-ready', 'attempt-dispatched', 'attempt-claimed', 'attempt-ended', 'task-ended'].map((kind) => `${kind} second`),
    );
    expect(whole.find(({ kind, taskKey }) => kind === 'attempt-ended' && taskKey === 'second')!.data).toMatchObject({
      state: 'failed',
      node: 'alpha',
    });
    expect(whole.map(({ at }) => at)).toEqual(whole.map(({ at }) => at).toSorted());
    const paged: RunEvent[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page<RunEvent> = await server.admin.get(`/runs/${id}/history?order=newest&limit=2${cursor ? `&cursor=${cursor}` : ''}`);
      paged.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(paged.toReversed()).toEqual(whole);
    const compact = (await server.admin.get<Page<RunEvent>>(`/runs/${id}/history?level=compact`)).items.map(({ kind }) => kind);
    expect(compact).not.toContain('attempt-claimed');
    expect(compact.filter((kind) => kind === 'attempt-ended')).toHaveLength(1);
  });

  it('tell before a rerun what it keeps and what it runs again', async () => {
    const preview = await server.admin.get<RerunPreview>(`/runs/${runs[1]!.id}/rerun-preview?mode=failed`);
    expect(preview).toMatchObject({ kept: [{ key: 'first', state: 'succeeded' }], anew: [{ key: 'second', state: 'failed' }] });
    expect((await server.admin.get<RerunPreview>(`/runs/${runs[1]!.id}/rerun-preview?mode=all`)).anew).toHaveLength(2);
    expect(await problemFrom(server.admin.get(`/runs/${runs[3]!.id}/rerun-preview`))).toMatchObject({ code: 'run-not-rerunnable' });
  });

  describe('of which many are acted on at once', () => {
    let cast: Cast;
    beforeAll(() => {
      cast = new Cast(server);
    });
    const ended = (id: string) => waitFor(async () => (await server.admin.get<RunBulk>(`/runs/bulk/${id}`)).finishedAt !== null);

    it('are counted first, only where the caller may do it, and not touched when there are more than was told', async () => {
      const [project] = await server.source.query(`select project_id from runs limit 1`);
      const viewer = await cast.player({ roles: { [project.project_id]: 'viewer', [await cast.project('own')]: 'operator' } });
      const scope = { action: 'cancel', filter: { workflowId } };
      expect(await server.admin.post<RunBulkPreview>('/runs/bulk/preview', scope)).toMatchObject({
        count: 2,
        isMore: false,
        forbidden: [],
      });
      expect(await viewer.client.post<RunBulkPreview>('/runs/bulk/preview', scope)).toMatchObject({ count: 0, forbidden: [{ count: 2 }] });
      expect(await problemFrom(viewer.client.post('/runs/bulk', { ...scope, expected: 2 }))).toMatchObject({ code: 'run-has-no-work' });
      expect(await problemFrom(server.admin.post('/runs/bulk', { ...scope, expected: 1 }))).toMatchObject({ code: 'stale-version' });
      expect(await idsOf('state=cancelled')).toEqual([]);
    });

    it('are cancelled and rerun one by one, each once, and what cannot be is told', async () => {
      const cancelled = await server.admin.post<RunBulk>('/runs/bulk', { action: 'cancel', filter: { workflowId }, expected: 2 });
      expect(cancelled).toMatchObject({ total: 2, done: 0, finishedAt: null });
      await ended(cancelled.id);
      expect(await idsOf('state=cancelled,cancelling')).toEqual([3, 2]);
      const scope = { action: 'rerun-failed', ids: runs.map(({ id }) => id) };
      const { count } = await server.admin.post<RunBulkPreview>('/runs/bulk/preview', scope);
      expect(count).toBe(3);
      const rerun = await server.admin.post<RunBulk>('/runs/bulk', { ...scope, expected: count });
      await ended(rerun.id);
      expect(await server.admin.get<RunBulk>(`/runs/bulk/${rerun.id}`)).toMatchObject({ total: 3, done: 3, succeeded: 3, skipped: 0 });
      const [{ count: made }] = await server.source.query(`select count(*)::int from runs where trigger = 'rerun'`);
      expect(made).toBe(3);
      const history = await server.admin.get<Page<RunEvent>>(`/runs/${runs[1]!.id}/history?level=compact`);
      expect(history.items.at(-1)).toMatchObject({ kind: 'rerun-created', data: { by: 'admin' } });
      const ofCancelled = await server.admin.get<Page<RunEvent>>(`/runs/${runs[2]!.id}/history?level=compact`);
      expect(ofCancelled.items.map(({ kind }) => kind).filter((kind) => /^(run|cancel)-/.test(kind))).toEqual([
        'run-created',
        'cancel-requested',
        'run-ended',
      ]);
      expect(ofCancelled.items[1]!.data).toEqual({ by: 'admin', many: true });
      const { items } = await server.admin.get<{ items: RunBulk[] }>('/runs/bulk');
      expect(items.map(({ action }) => action)).toEqual(['rerun-failed', 'cancel']);
    });

    it.each([
      ['the right to them was taken away', 'update role_bindings set role = $2 where user_id = $1', 'viewer'],
      ['the API token was revoked', 'update api_tokens set revoked_at = clock_timestamp() where user_id = $1 and name = $2', 'test'],
    ])('are left alone once %s, and the result tells so', async (_, taking, what) => {
      const [{ project_id: projectId }] = await server.source.query('select project_id from runs limit 1');
      const operator = await cast.player({ roles: { [projectId]: 'operator' } });
      const ids = [];
      for (let count = 0; count < 3; count++) ids.push((await server.admin.post<RunView>(`/workflows/${workflowId}/runs`)).id);
      // The bulk's turn on the newest run waits for its row, so that the right goes while the action is under way.
      const holder = server.source.createQueryRunner();
      await holder.startTransaction();
      await holder.query('select 1 from runs where id = $1 for update', [ids[2]]);
      const bulk = await operator.client.post<RunBulk>('/runs/bulk', { action: 'cancel', ids, expected: 3 });
      await waitFor(
        async () =>
          (await server.source.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`))
            .length > 0,
      );
      await server.source.query(taking, [operator.id, what]);
      await holder.commitTransaction();
      await holder.release();
      const reader = await cast.tokenOf(operator.id, ['read']);
      const result = await waitFor(async () => {
        const now = await reader.get<RunBulk>(`/runs/bulk/${bulk.id}`);
        return now.finishedAt === null ? null : now;
      });
      expect(result).toMatchObject({ done: 3, succeeded: 1, skipped: 2 });
      expect(result.reasons.map(({ runId, code }) => [runId, code])).toEqual([ids[1], ids[0]].map((id) => [id, 'permission-denied']));
      const states = await Promise.all(ids.map(async (id) => (await server.admin.get<RunView>(`/runs/${id}`)).state));
      expect(states).toEqual(['queued', 'queued', 'cancelled']);
    });

    it('are told of the one who cancelled them, in the run and in its history', async () => {
      const { id } = await server.admin.post<RunView>(`/workflows/${workflowId}/runs`);
      expect((await server.admin.get<RunView>(`/runs/${id}`)).cancelledBy).toBeNull();
      expect((await server.admin.post<RunView>(`/runs/${id}/cancel`)).cancelledBy).toBe('admin');
      expect(await problemFrom(server.admin.post(`/runs/${id}/cancel`))).toMatchObject({ code: 'run-not-cancellable' });
      const { items } = await server.admin.get<Page<RunEvent>>(`/runs/${id}/history?level=compact`);
      expect(items.filter(({ kind }) => kind === 'cancel-requested').map(({ data }) => data)).toEqual([{ by: 'admin', many: false }]);
    });
  });

  it('tell the graph of the version that a run executes, whatever the latest is', async () => {
    const other = { ...aWorkflow({ only: { run: 'true' } }), workflow: 'graph-of-a-run' };
    const { workflowId: id } = await server.admin.post<ApplyAnswer>('/workflows/apply', other);
    const run = await server.admin.post<RunView>(`/workflows/${id}/runs`);
    await server.admin.post('/workflows/apply', { ...other, tasks: { first: { run: 'true' }, second: { run: 'true' } } });
    const dag = await server.admin.get<WorkflowDag>(`/runs/${run.id}/dag`);
    expect(dag).toEqual(await server.admin.get<WorkflowDag>(`/workflows/${id}/dag?version=1`));
    expect(dag.tasks.map(({ key }) => key)).toEqual(['only']);
    await server.admin.post(`/runs/${run.id}/cancel`);
  });
});

import {
  type AttemptWork,
  type Dispatch,
  FILES_PROTOCOL,
  keepLimits,
  type RunTasks,
  type RunView,
  type TaskFiles,
  type Why,
} from '@medley/contracts';
import { aWorkflow, waitFor } from '@medley/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BLOB_STORE, type BlobStore } from '../blobs/blob-store.js';
import { removeOldRuns } from '../passes/run-retention.js';
import { Cast, type Player } from '../testing/cast.fixture.js';
import { problemFrom } from '../testing/problem.js';
import { TestAgent } from '../testing/test-agent.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';
import { fileBlobKey } from './file-blob-key.js';
import { expireFiles, removeStaleFiles } from './files-expiry.js';

describe('working files', () => {
  let server: TestServer;
  let agent: TestAgent;
  let stranger: Player;
  let viewer: Player;
  let store: BlobStore;
  let count = 0;
  beforeAll(async () => {
    server = await startTestServer();
    const cast = new Cast(server);
    const projectId = await cast.project('growth');
    viewer = await cast.player({ roles: { [projectId]: 'viewer' } });
    stranger = await cast.player();
    agent = await TestAgent.join(server.url, server.credentials.joinToken);
    store = server.app.get<BlobStore>(BLOB_STORE);
  });
  beforeEach(() => speaks(FILES_PROTOCOL));
  afterAll(() => server.close());

  const speaks = (protocol: number) => server.source.query('update nodes set protocol = $1', [protocol]);

  async function start(tasks: Record<string, object>): Promise<RunView> {
    const file = aWorkflow(tasks as Parameters<typeof aWorkflow>[0], { project: 'growth', workflow: `files-${++count}` });
    const { workflowId } = await server.admin.post<{ workflowId: string }>('/workflows/apply', file);
    return server.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
  }

  async function claimed(): Promise<{ dispatch: Dispatch; work: AttemptWork }> {
    const [dispatch] = await agent.receive();
    const claim = await agent.claim(dispatch!);
    if (!claim.granted) throw new Error(claim.reason);
    return { dispatch: dispatch!, work: claim.work };
  }

  const taskRunIds = async (runId: string) =>
    Object.fromEntries((await server.admin.get<RunTasks>(`/runs/${runId}/tasks`)).items.map(({ key, id }) => [key, id]));
  const keeping = { run: 'true', files: { keep: ['*.csv'] } };
  const fetching = (fields: object = {}) => ({
    run: 'true',
    needs: ['extract'],
    files: { fetch: [{ from: 'extract', to: 'in', ...fields }] },
  });

  /** A run whose first task has kept `a.csv` and whose second is claimed. */
  async function handedOn() {
    const run = await start({ extract: keeping, load: fetching() });
    const first = await claimed();
    expect((await agent.keep(first.dispatch, 'a.csv', 'one')).status).toBe(200);
    await agent.finish(first.dispatch, 'succeeded');
    return { run, first, second: await claimed() };
  }

  it('of a task that succeeded are named in the claim of the next one, and given to it by the server', async () => {
    const { first, second } = await handedOn();
    expect(first.work.files).toEqual({ keep: { patterns: ['*.csv'], limits: keepLimits }, fetch: [] });
    expect(second.work.files).toMatchObject({ fetch: [{ path: 'in/a.csv', bytes: 3 }] });
    const { id } = second.work.files!.fetch[0]!;
    expect(await (await agent.fetchFile(second.dispatch, id)).text()).toBe('one');
    await agent.finish(second.dispatch, 'succeeded');
    expect((await agent.fetchFile(second.dispatch, id)).status).toBe(409);
  });

  it('are listed and downloaded by who may see the logs, and by nobody else', async () => {
    const { run, second } = await handedOn();
    const { extract } = await taskRunIds(run.id);
    const { items, total } = await viewer.client.get<TaskFiles>(`/task-runs/${extract}/files`);
    expect({ items, total }).toMatchObject({ items: [{ path: 'a.csv', bytes: 3, item: null, expired: false }], total: 1 });
    const download = await viewer.client.request('GET', `/task-runs/${extract}/files/${items[0]!.id}/download`);
    expect(download.headers.get('content-disposition')).toContain('a.csv');
    expect(await download.text()).toBe('one');
    expect(await problemFrom(stranger.client.get(`/task-runs/${extract}/files`))).toMatchObject({ status: 404 });
    await agent.finish(second.dispatch, 'succeeded');
  });

  it('are those of the last attempt only, and the last of each path', async () => {
    await start({ extract: { ...keeping, retry: { attempts: 2, delay: '0s' } }, load: fetching() });
    const first = await claimed();
    await agent.keep(first.dispatch, 'old.csv', 'x');
    await agent.finish(first.dispatch, 'failed');
    const second = await claimed();
    await agent.keep(second.dispatch, 'a.csv', 'first');
    await agent.keep(second.dispatch, 'a.csv', 'again');
    await agent.finish(second.dispatch, 'succeeded');
    const load = await claimed();
    expect(load.work.files!.fetch.map(({ path }) => path)).toEqual(['in/a.csv']);
    expect(await (await agent.fetchFile(load.dispatch, load.work.files!.fetch[0]!.id)).text()).toBe('again');
    await agent.finish(load.dispatch, 'succeeded');
  });

  it('of items lie in a folder each', async () => {
    await start({ extract: { ...keeping, map: { over: ['x', 'y'], parallel: 1 } }, load: fetching() });
    for (const text of ['zero', 'one']) {
      const { dispatch } = await claimed();
      await agent.keep(dispatch, 'a.csv', text);
      await agent.finish(dispatch, 'succeeded');
    }
    const load = await claimed();
    expect(load.work.files!.fetch.map(({ path }) => path)).toEqual(['in/0/a.csv', 'in/1/a.csv']);
    await agent.finish(load.dispatch, 'succeeded');
  });

  it('are fetched from the earlier run where a rerun keeps its task', async () => {
    const { run, second } = await handedOn();
    await agent.finish(second.dispatch, 'failed');
    await waitFor(async () => (await server.admin.get<RunView>(`/runs/${run.id}`)).state === 'failed');
    await server.admin.post<RunView>(`/runs/${run.id}/rerun`, { mode: 'failed' });
    const load = await claimed();
    expect(load.work.files!.fetch).toEqual(second.work.files!.fetch);
    expect(await (await agent.fetchFile(load.dispatch, load.work.files!.fetch[0]!.id)).text()).toBe('one');
    await agent.finish(load.dispatch, 'succeeded');
  });

  it('are refused where they are not what is said of them, leave the working directory, exceed the limits or come from another node', async () => {
    await start({ extract: keeping });
    const { dispatch } = await claimed();
    const refusal = async (answer: Promise<Response>) => (await (await answer).json()) as { code: string };
    expect(await refusal(agent.keep(dispatch, 'a.csv', 'one', { sha256: '0'.repeat(64) }))).toMatchObject({ code: 'validation-failed' });
    expect(await refusal(agent.keep(dispatch, 'a.csv', 'one', { bytes: '2' }))).toMatchObject({ code: 'validation-failed' });
    expect(await refusal(agent.keep(dispatch, '../a.csv', 'one'))).toMatchObject({ code: 'validation-failed' });
    const tooLarge = { bytes: String(keepLimits.fileBytes + 1) };
    expect(await refusal(agent.keep(dispatch, 'a.csv', 'one', tooLarge))).toMatchObject({ code: 'validation-failed' });
    expect(await refusal(agent.keep({ ...dispatch, fence: dispatch.fence + 1 }, 'a.csv', 'one'))).toMatchObject({ code: 'task-run-ended' });
    const other = await TestAgent.join(server.url, server.credentials.joinToken, 'other');
    expect(await refusal(other.keep(dispatch, 'a.csv', 'one'))).toMatchObject({ code: 'task-run-ended' });
    await server.source.query(`update nodes set cordoned = true where name = 'other'`);
    await agent.finish(dispatch, 'succeeded');
    expect(
      await server.source.query('select 1 from working_files where attempt_id = $1 and stored_at is not null', [dispatch.attemptId]),
    ).toEqual([]);
  });

  it('that nobody kept fail the task that asks for them, with the reason', async () => {
    const run = await start({ extract: keeping, load: fetching({ patterns: ['*.parquet'] }) });
    const { dispatch } = await claimed();
    await agent.keep(dispatch, 'a.csv', 'one');
    await agent.finish(dispatch, 'succeeded');
    const [load] = await agent.receive();
    expect((await agent.claim(load!)).granted).toBe(false);
    const why = await server.admin.get<Why>(`/task-runs/${(await taskRunIds(run.id)).load}/why`);
    expect(why.reason.text).toContain('No file that task `extract` has kept matches `*.parquet`');
  });

  it('that would lie under a path that is too long fail the task that asks for them, not the claim of others', async () => {
    const run = await start({ extract: { run: 'true', files: { keep: ['**'] } }, load: fetching({ to: 't'.repeat(300) }) });
    const { dispatch } = await claimed();
    expect((await agent.keep(dispatch, 'p'.repeat(300), 'one')).status).toBe(200);
    await agent.finish(dispatch, 'succeeded');
    const [load] = await agent.receive();
    expect((await agent.claim(load!)).granted).toBe(false);
    const why = await server.admin.get<Why>(`/task-runs/${(await taskRunIds(run.id)).load}/why`);
    expect(why.reason.text).toContain('a path that is too long');
  });

  it('that are longer than was said are refused with an answer, however much is still to come', async () => {
    await start({ extract: keeping });
    const { dispatch } = await claimed();
    const answer = await agent.keep(dispatch, 'a.csv', 'x'.repeat(20_000_000), { bytes: '1000' });
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'validation-failed' }]);
    await agent.finish(dispatch, 'failed');
  });

  it('wait while every node has an agent that cannot move them, and say so', async () => {
    await speaks(FILES_PROTOCOL - 1);
    const run = await start({ extract: keeping });
    const { extract } = await taskRunIds(run.id);
    await waitFor(async () => (await server.admin.get<Why>(`/task-runs/${extract}/why`)).state === 'blocked');
    const { reason } = await server.admin.get<Why>(`/task-runs/${extract}/why`);
    expect(JSON.stringify(reason.values)).toContain('cannot-move-files');
    await speaks(FILES_PROTOCOL);
    await agent.finish((await claimed()).dispatch, 'succeeded');
  });

  it('go with their blobs when they expire, and with their rows when their run goes', async () => {
    const { run, second } = await handedOn();
    await agent.finish(second.dispatch, 'failed');
    await waitFor(async () => (await server.admin.get<RunView>(`/runs/${run.id}`)).state === 'failed');
    const { extract } = await taskRunIds(run.id);
    const [file] = (await server.admin.get<TaskFiles>(`/task-runs/${extract}/files`)).items;
    const key = fileBlobKey(file!.attemptId, file!.id);
    expect(await store.get(key).then((body) => body?.destroy() !== undefined)).toBe(true);
    await expireFiles(server.source, 0);
    await removeStaleFiles(server.source, store);
    expect(await store.get(key)).toBeNull();
    expect((await server.admin.get<TaskFiles>(`/task-runs/${extract}/files`)).items).toMatchObject([{ path: 'a.csv', expired: true }]);
    await server.admin.post<RunView>(`/runs/${run.id}/rerun`, { mode: 'failed' });
    const [again] = await agent.receive();
    expect((await agent.claim(again!)).granted).toBe(false);
    await server.source.query(`update runs set finished_at = clock_timestamp() - interval '1 day' where finished_at is not null`);
    while (await removeOldRuns(server.source, 60));
    await removeStaleFiles(server.source, store);
    expect(await server.source.query('select 1 from working_files where attempt_id = $1', [file!.attemptId])).toEqual([]);
  });
});

import type { ApplyAnswer, Dispatch, LogPage, Overview, PlacementReplay, PlacementView, RunView } from '@medley/contracts';
import { aWorkflow, manyTasks } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BLOB_STORE, type BlobStore } from '../blobs/blob-store.js';
import { ArchivePass } from '../passes/archive.pass.js';
import { problemFrom } from '../testing/problem.js';
import { TestAgent } from '../testing/test-agent.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

describe('attempts', () => {
  let server: TestServer;
  let agents: TestAgent[];
  beforeAll(async () => {
    server = await startTestServer({ MEDLEY_LOG_ARCHIVE_AFTER_HOURS: '0' });
    agents = [];
    for (const name of ['alpha', 'beta', 'gamma']) agents.push(await TestAgent.join(server.url, server.credentials.joinToken, name, 4000));
  });
  afterAll(() => server.close());

  const start = async (tasks: Parameters<typeof aWorkflow>[0]) => {
    const { workflowId } = await server.admin.post<ApplyAnswer>('/workflows/apply', aWorkflow(tasks));
    return server.admin.post<RunView>(`/workflows/${workflowId}/runs`);
  };

  describe('logs', () => {
    const text = '第一行\nsecond ✓\n'.repeat(50);
    const bytes = Buffer.from(text);
    let agent: TestAgent;
    let dispatch: Dispatch;
    beforeAll(async () => {
      await start({ a: { run: 'true', resources: { cpu: 1 } } });
      const received = await Promise.any(agents.map(async (each) => ({ agent: each, dispatch: (await each.receive())[0]! })));
      ({ agent, dispatch } = received);
      await agent.claim(dispatch);
      await agent.log(dispatch, 'stdout', 0, bytes.subarray(0, 400));
      await agent.log(dispatch, 'stderr', 0, Buffer.from('警告\n'));
    });

    const read = (query = '') => server.admin.get<LogPage>(`/attempts/${dispatch.attemptId}/log${query}`);
    const textOf = (page: LogPage, stream: string) =>
      page.parts
        .filter((part) => part.stream === stream)
        .map((part) => part.text)
        .join('');

    it('are read while the attempt runs, ending at whole characters, and go on from there', async () => {
      const first = await read();
      expect(first.complete).toBe(false);
      expect(first.parts.map((part) => part.stream)).toEqual(['stdout', 'stderr']);
      expect(textOf(first, 'stdout')).not.toContain('\ufffd');
      expect(await read(`?after=${first.next}`)).toMatchObject({ parts: [], next: first.next, complete: false });
      await agent.log(dispatch, 'stdout', 400, bytes.subarray(400));
      await agent.finish(dispatch, 'succeeded');
      const second = await read(`?after=${first.next}`);
      expect(textOf(first, 'stdout') + textOf(second, 'stdout')).toBe(text);
      expect(second.complete).toBe(true);
    });

    it('are read stream by stream', async () => {
      const page = await read('?stream=stderr');
      expect(page).toMatchObject({ complete: true, parts: [{ stream: 'stderr', offset: 0, text: '警告\n' }] });
      const out = await read('?stream=stdout&limit=1024');
      expect(textOf(out, 'stdout')).toBe(text.slice(0, textOf(out, 'stdout').length));
    });

    it('are read from their end, and go on from there', async () => {
      const tail = await read('?tail=true&limit=1024');
      expect(tail).toMatchObject({ complete: true, isStart: false });
      expect(text.endsWith(textOf(tail, 'stdout'))).toBe(true);
      expect(tail.parts.length).toBeGreaterThan(0);
      const whole = await read('?tail=true&limit=1000000');
      expect(whole).toEqual({ ...(await read()), isStart: true });
      expect(await problemFrom(read('?tail=true&stream=stdout'))).toMatchObject({ status: 400 });
    });

    it('are downloaded whole', async () => {
      const answer = await server.admin.request('GET', `/attempts/${dispatch.attemptId}/log/download?stream=stdout`);
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="attempt-1-.*\.log"$/);
      expect(await answer.text()).toBe(text);
    });

    it('are the same once they are archived, and an archive that is lost is told instead of an empty log', async () => {
      const pages = () => Promise.all([read(), read('?stream=stderr'), read('?tail=true'), read('?tail=true&limit=1024')]);
      const before = await pages();
      await server.app.get(ArchivePass, { strict: false }).run();
      const blobs = server.app.get<BlobStore>(BLOB_STORE, { strict: false });
      const keys: string[] = [];
      for await (const { key } of blobs.list('logs/')) keys.push(key);
      expect(keys).toEqual([expect.stringContaining(dispatch.attemptId)]);
      const after = await pages();
      expect(after.slice(0, 3)).toEqual(before.slice(0, 3));
      // A block of an archive is read whole.
      expect(after[3]!.parts.slice(-before[3]!.parts.length)).toEqual(before[3]!.parts);
      const download = () => server.admin.request('GET', `/attempts/${dispatch.attemptId}/log/download?stream=stdout`);
      expect(await (await download()).text()).toBe(text);

      await blobs.delete(keys[0]!);
      expect(await problemFrom(read())).toMatchObject({ status: 500, code: 'blob-missing' });
      expect(await (await download()).json()).toMatchObject({ status: 500, code: 'blob-missing' });
      expect(await (await fetch(`${server.url}/readyz`)).json()).toMatchObject({ status: 'ok', blobStore: 'ok' });
    });

    it('are refused from a position that is none', async () => {
      expect(await problemFrom(read('?after=nonsense'))).toMatchObject({ status: 400, code: 'cursor-invalid' });
      expect(await problemFrom(server.admin.get('/attempts/01890000-0000-7000-8000-000000000000/log'))).toMatchObject({ status: 404 });
    });
  });

  it('tell why their node was chosen, and the same decision comes out again', async () => {
    const policies = [
      { selector: 'resource-pick-kx', k: 2 },
      { selector: 'smooth-weighted-round-robin' },
      { selector: 'earliest-finish' },
      { selector: 'random' },
    ];
    const [pool] = (await server.admin.get<{ items: { id: string }[] }>('/pools')).items;
    for (const policy of policies) {
      await server.admin.patch(`/pools/${pool!.id}`, { policy });
      const run = await start(manyTasks('t', 6, () => ({ run: 'true', resources: { cpu: 1 } })));
      let open = 6;
      while (open > 0) {
        const { agent, dispatches } = await Promise.any(agents.map(async (each) => ({ agent: each, dispatches: await each.receive() })));
        for (const dispatch of dispatches) {
          const placement = await server.admin.get<PlacementView>(`/attempts/${dispatch.attemptId}/placement`);
          expect(placement).toMatchObject({
            nodeId: agent.nodeId,
            node: agent.name,
            decision: { selector: policy.selector, chosenNodeId: agent.nodeId },
          });
          expect(placement.nodeNames[agent.nodeId]).toBe(agent.name);
          const replay = await server.admin.post<PlacementReplay>(`/attempts/${dispatch.attemptId}/placement/replay`);
          expect(replay).toMatchObject({ identical: true, replayed: { chosenNodeId: agent.nodeId } });
          await agent.claim(dispatch);
          await agent.finish(dispatch, 'succeeded');
          open--;
        }
      }
      expect((await server.admin.get<RunView>(`/runs/${run.id}`)).counts).toEqual({ succeeded: 6 });
    }
  });

  it('notice a stored decision that is not what the turn says', async () => {
    const [row] = await server.source.query('select attempt_id from placement_decisions limit 1');
    await server.source.query(`update placement_decisions set decision = jsonb_set(decision, '{candidates}', '99') where attempt_id = $1`, [
      row.attempt_id,
    ]);
    expect(await server.admin.post(`/attempts/${row.attempt_id}/placement/replay`)).toMatchObject({ identical: false });
  });

  it('are summed up in the overview', async () => {
    const overview = await server.admin.get<Overview>('/overview');
    expect(overview).toMatchObject({ nodes: { online: 3 }, acceptingNodes: 3, waiting: [], running: [] });
    expect(overview.runs.succeeded).toBe(5);
  });
});

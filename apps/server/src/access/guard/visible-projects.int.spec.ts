import type { ApplyAnswer, Me, NodeView, Overview, Page, ProjectView, RunView } from '@medley/contracts';
import { sqlOutsideTransaction, uuidv7 } from '@medley/database';
import { aWorkflow, type RestClient } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cast, type Player } from '../../testing/cast.fixture.js';
import { problemFrom } from '../../testing/problem.js';
import { TestAgent } from '../../testing/test-agent.js';
import { startTestServer, type TestServer } from '../../testing/test-server.js';
import { unguarded } from '../../testing/unguarded.js';

interface Made {
  projectId: string;
  workflowId: string;
  runId: string;
}

describe('what a caller sees', () => {
  let server: TestServer;
  let cast: Cast;
  let agent: TestAgent;
  let mine: Made;
  let theirs: Made;
  let viewer: Player;
  let nobody: Player;

  beforeAll(async () => {
    server = await startTestServer();
    cast = new Cast(server);
    agent = await TestAgent.join(server.url, server.credentials.joinToken);
    mine = await make('mine');
    theirs = await make('theirs');
    await agent.receive(2);
    viewer = await cast.player({ roles: { [mine.projectId]: 'viewer' } });
    nobody = await cast.player();
  });
  afterAll(() => server.close());

  async function make(project: string): Promise<Made> {
    const projectId = await cast.project(project);
    const file = aWorkflow(
      { a: { run: 'true' } },
      { project, workflow: `of-${project}`, schedules: { nightly: { cron: '0 3 * * *', zone: 'UTC' } } },
    );
    const { workflowId } = await server.admin.post<ApplyAnswer>('/workflows/apply', file);
    const { id } = await server.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
    return { projectId, workflowId: workflowId!, runId: id };
  }

  const around = () => `from=${new Date(Date.now() - 3_600_000).toISOString()}&to=${new Date(Date.now() + 86_400_000).toISOString()}`;
  /** Every answer that holds things of several projects. */
  const lists = ['/projects', '/workflows', '/schedules', '/runs', '/overview', '/search?text=of-', '/search?text=nightly', '/me'];

  it('in any list is what its projects hold', async () => {
    for (const path of [...lists, `/timeline?${around()}`]) {
      const seen = JSON.stringify(await viewer.client.get(path));
      expect(seen, path).toMatch(/mine/);
      expect(seen, path).not.toMatch(/theirs/);
      expect(JSON.stringify(await nobody.client.get(path)), path).not.toMatch(/mine|theirs/);
    }
  });

  it('when it asks for a project that it may not see is nothing', async () => {
    for (const path of ['/workflows?', '/schedules?', '/runs?', '/overview?', '/search?text=of-&', `/timeline?${around()}&`]) {
      const seen = JSON.stringify(await viewer.client.get(`${path}projectId=${theirs.projectId}`));
      expect(seen, path).not.toMatch(/mine|theirs/);
    }
  });

  it('is counted as its own only', async () => {
    const [all, own, none] = await Promise.all(
      [server.admin, viewer.client, nobody.client].map((client) => client.get<Overview>('/overview')),
    );
    expect([all, own, none].map((overview) => Object.values(overview!.runs).reduce((sum, count) => sum + count, 0))).toEqual([2, 1, 0]);
    expect(own!.nodes).toEqual(all!.nodes);
  });

  it('on a node is its own attempts and how many others there are', async () => {
    const seen = await viewer.client.get<NodeView>(`/nodes/${agent.nodeId}`);
    expect(seen.attempts.map(({ workflow }) => workflow)).toEqual(['of-mine']);
    expect(seen.hiddenAttempts).toBe(1);
    const bare = await nobody.client.get<NodeView>(`/nodes/${agent.nodeId}`);
    expect([bare.attempts, bare.hiddenAttempts]).toEqual([[], 2]);
  });

  it('is told by /me, with what it may do there', async () => {
    const me = await viewer.client.get<Me>('/me');
    expect(me).toMatchObject({ isAdmin: false, projects: [{ id: mine.projectId, name: 'mine', role: 'viewer' }] });
    expect(me.projects[0]!.permissions).toContain('run:read');
    expect(me.projects[0]!.permissions).not.toContain('run:operate');
    expect(me.permissions).not.toContain('user:read');
  });

  it('is searched by names and former names of its own projects only, page by page', async () => {
    const search = async (client: RestClient, query: string) => {
      const { items, nextCursor } = await client.get<Page<ProjectView>>(`/projects?search=${query}`);
      return { names: items.map(({ name }) => name), nextCursor };
    };
    const id = await cast.project('searched-before');
    await cast.project('searched-too');
    await server.admin.patch(`/projects/${id}`, { name: 'renamed' });
    expect((await search(server.admin, 'Searched-')).names).toEqual(['renamed', 'searched-too']);
    expect((await search(server.admin, 'nothing-like-it')).names).toEqual([]);
    expect((await search(viewer.client, 'searched-')).names).toEqual([]);
    expect((await search(viewer.client, 'min')).names).toEqual(['mine']);
    const { nextCursor } = await search(server.admin, 'searched-&limit=1');
    expect((await search(server.admin, `searched-&limit=1&cursor=${nextCursor}`)).names).toEqual(['searched-too']);
    expect(await problemFrom(server.admin.get(`/projects?cursor=${nextCursor}`))).toMatchObject({ code: 'cursor-invalid' });
  });

  it('comes in pages from several projects, newest first', async () => {
    const both = await cast.player({ roles: { [mine.projectId]: 'viewer', [theirs.projectId]: 'viewer' } });
    const first = await both.client.get<Page<RunView>>('/runs?limit=1');
    const second = await both.client.get<Page<RunView>>(`/runs?limit=1&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual([theirs.runId, mine.runId]);
    expect(second.nextCursor).toBeNull();
  });

  it('is found by an index, whatever others have', async () => {
    const sql = sqlOutsideTransaction(server.source);
    const rows = 30_000;
    await unguarded(
      server.source,
      `insert into runs (id, project_id, workflow_id, workflow_version, state, trigger, task_count, open_tasks, finished_at)
       select overlay(gen_random_uuid()::text placing '7' from 15 for 1)::uuid, $1, $2, 1, 'succeeded', 'manual', 1, 0, now() from generate_series(1, $3::int)`,
      [theirs.projectId, theirs.workflowId, rows],
    );
    await sql.query('analyze runs');
    const plan = await sql.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, costs off, timing off, summary off) select r.* from unnest(array['${mine.projectId}']::uuid[]) as visible(id)
       cross join lateral (select * from runs r where r.project_id = visible.id order by r.id desc limit 51) r order by r.id desc limit 51`,
    );
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toContain('runs_project');
    expect(text).not.toContain('Seq Scan on runs');
    const { items } = await viewer.client.get<Page<RunView>>('/runs');
    expect(items.map(({ id }) => id)).toEqual([mine.runId]);
  });

  it('does not hold removed projects, for a platform administrator neither', async () => {
    const gone = await make('gone');
    await agent.receive(1);
    await server.admin.post(`/runs/${gone.runId}/cancel`);
    const named = await problemFrom(server.admin.delete(`/projects/${gone.projectId}`));
    expect(named).toMatchObject({
      status: 409,
      code: 'project-in-use',
      detail: expect.stringContaining('1 run(s), 1 workflow(s) and 1 schedule(s)'),
    });
    await expect(server.admin.delete(`/projects/${gone.projectId}?withRuns=true`)).resolves.toMatchObject({
      runs: 1,
      workflows: 1,
      schedules: 1,
    });
    for (const path of [...lists, `/timeline?${around()}`]) expect(JSON.stringify(await server.admin.get(path)), path).not.toMatch(/gone/);
    for (const path of [`/runs/${gone.runId}`, `/workflows/${gone.workflowId}`, `/projects/${gone.projectId}`]) {
      expect(await problemFrom(server.admin.get(path)), path).toMatchObject({ status: 404 });
    }
    expect((await server.admin.post<ProjectView>('/projects', { name: 'gone' })).id).not.toBe(gone.projectId);
  });

  describe('and hears of', () => {
    /** The text of the stream until it fulfils the condition, or ends. */
    async function listen(client: RestClient, holds: (text: string) => boolean): Promise<{ text: string; ended: boolean }> {
      const reader = (await client.request('GET', '/events')).body!.getReader();
      const decoder = new TextDecoder();
      let text = '';
      while (!holds(text)) {
        const { value, done } = await reader.read();
        if (done) return { text, ended: true };
        text += decoder.decode(value, { stream: true });
      }
      await reader.cancel();
      return { text, ended: false };
    }
    const greeted = (text: string) => text.includes('event: hello');

    it('is what its projects hold, also where only the run is told, and nodes', async () => {
      const heard = listen(viewer.client, (text) => text.includes(agent.nodeId));
      const all = listen(server.admin, (text) => text.includes(theirs.runId) && text.includes(mine.runId) && text.includes(agent.nodeId));
      await Promise.all([listen(viewer.client, greeted), listen(server.admin, greeted)]);
      for (const { runId } of [theirs, mine]) await server.admin.post(`/runs/${runId}/cancel`);
      await server.admin.patch(`/nodes/${agent.nodeId}`, { cordoned: true });
      await all;
      const { text } = await heard;
      expect(text).not.toContain(theirs.projectId);
      expect(text).not.toContain(theirs.runId);
    });

    it('ends within seconds when its token is revoked, and begins anew when its roles change', async () => {
      const player = await cast.player({ roles: { [mine.projectId]: 'viewer' } });
      const twice = listen(player.client, (text) => text.split('event: hello').length > 2);
      const toItsEnd = listen(await cast.tokenOf(player.id, ['read']), () => false);
      await listen(player.client, greeted);
      const sql = sqlOutsideTransaction(server.source);
      await sql.query('insert into role_bindings (id, project_id, user_id, role) values ($1, $2, $3, $4)', [
        uuidv7(),
        theirs.projectId,
        player.id,
        'viewer',
      ]);
      expect((await twice).ended).toBe(false);
      await sql.query(`update api_tokens set revoked_at = now() where user_id = $1`, [player.id]);
      expect((await toItsEnd).ended).toBe(true);
    });
  });
});

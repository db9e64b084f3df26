import type { ApplyAnswer, ProjectView, RunView, SearchAnswer } from '@medley/contracts';
import { sqlOutsideTransaction } from '@medley/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.js';

describe('search', () => {
  let server: TestServer;
  let run: RunView;
  const find = async (text: string, more = '') =>
    (await server.admin.get<SearchAnswer>(`/search?text=${encodeURIComponent(text)}${more}`)).items;

  beforeAll(async () => {
    server = await startTestServer();
    const apply = (workflow: string) =>
      server.admin.post<ApplyAnswer>('/workflows/apply', {
        medley: 1,
        project: 'default',
        workflow,
        schedules: { [`${workflow}-nightly`]: { cron: '0 3 * * *', zone: 'UTC' } },
        tasks: { a: { run: 'true' } },
      });
    await apply('weekly-load');
    await apply('load-hourly');
    const { workflowId } = await apply('load');
    run = await server.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
  });
  afterAll(() => server.close());

  it('finds the name itself first, then what begins with it, then what contains it', async () => {
    const items = await find('LOAD');
    expect(items.filter(({ kind }) => kind === 'workflow').map(({ name }) => name)).toEqual(['load', 'load-hourly', 'weekly-load']);
    expect(items.filter(({ kind }) => kind === 'schedule').map(({ within }) => within)).toEqual(['load', 'load-hourly', 'weekly-load']);
    expect(items.filter(({ kind }) => kind === 'run')).toMatchObject([{ id: run.id, within: 'load', workflowId: run.workflowId }]);
  });

  it('finds a run by its id, by the beginning of it and by the end that the console shows', async () => {
    for (const text of [run.id, run.id.slice(0, 13), run.id.slice(-8), run.id.replaceAll('-', '').toUpperCase()]) {
      expect({ text, found: (await find(text)).map(({ id }) => id) }).toEqual({ text, found: [run.id] });
    }
    expect(await find('%')).toEqual([]);
  });

  it('finds pools, and of one project only what is in it', async () => {
    expect(await find('defau')).toMatchObject([{ kind: 'pool', name: 'default' }]);
    const { id } = await server.admin.post<ProjectView>('/projects', { name: 'empty' });
    expect(await find('load', `&projectId=${id}`)).toEqual([]);
    expect(await find(run.id, `&projectId=${id}`)).toEqual([]);
  });

  it('reaches a run by the end of its id through the index', async () => {
    const plan = await sqlOutsideTransaction(server.source).query<{ 'QUERY PLAN': string }>(
      `explain select * from runs where right(id::text, 8) = 'abcdef01'`,
    );
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('runs_short_id');
  });
});

import type { ApplyAnswer, DryRun } from '@medley/contracts';
import { aWorkflow, type RestClient } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cast } from '../testing/cast.fixture.js';
import { problemFrom } from '../testing/problem.js';
import { TestAgent } from '../testing/test-agent.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

describe('a dry run', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    await TestAgent.join(server.url, server.credentials.joinToken, 'alpha', 4000);
    await TestAgent.join(server.url, server.credentials.joinToken, 'beta', 2000);
  });
  afterAll(() => server.close());

  const tasks = {
    report: { run: 'true', needs: ['big', 'small'] },
    small: { run: 'true' },
    big: { run: 'true', resources: { cpu: 3 } },
    never: { run: 'true', needs: ['report'], resources: { cpu: 64 } },
  };
  const parameters = { day: { type: 'date' } };
  const definition = aWorkflow(tasks, { workflow: 'dry', parameters });
  const counted = async () =>
    (
      await server.source.query(
        'select (select count(*) from runs) as runs, (select count(*) from task_runs) as tasks, (select count(*) from placement_turns) as turns',
      )
    )[0];

  it('tells order, likely nodes and what is in the way, of a stored version as of a posted definition, and writes nothing', async () => {
    const { workflowId } = await server.admin.post<ApplyAnswer>('/workflows/apply', definition);
    const before = await counted();
    const stored = await server.admin.post<DryRun>(`/workflows/${workflowId}/dry-run`, { parameters: { day: '2026-01-31' } });
    const posted = await server.admin.post<DryRun>('/workflows/dry-run', { definition, parameters: { day: '2026-01-31' } });

    expect({ ...posted, version: 1 }).toEqual(stored);
    expect(stored.parameters).toEqual({ day: '2026-01-31' });
    expect(stored.tasks.map(({ key, begins, level }) => [key, begins, level])).toEqual([
      ['small', 'at-once', 0],
      ['big', 'at-once', 0],
      ['report', 'after-needs', 1],
      ['never', 'after-needs', 2],
    ]);
    const [small, big, , never] = stored.tasks.map(({ placement }) => placement!);
    expect([small!.candidates, big!.candidates, never!.candidates]).toEqual([2, 1, 0]);
    expect(small!.nodes.map(({ probability }) => probability).reduce((sum, each) => sum! + each!, 0)).toBeCloseTo(1);
    expect(big!.likely).toMatchObject({ node: 'alpha', probability: 1 });
    expect(big!.removed).toMatchObject([{ count: 1, examples: ['beta'] }]);
    expect(never!.wait).toMatchObject({ code: 'infeasible' });
    expect(await counted()).toEqual(before);
  });

  it('decides conditions by what is known, and by variables only for those who may read them', async () => {
    const cast = new Cast(server);
    const projectId = await cast.project('dry');
    await server.admin.put(`/projects/${projectId}/variables/mode`, { value: 'small' });
    const file = aWorkflow(
      {
        extract: { run: 'true' },
        full: { run: 'true', when: 'variables.mode == "full"' },
        publish: { run: 'true', needs: ['extract'], when: 'int(tasks.extract.outputs.rows) > 0' },
      },
      { project: 'dry', workflow: 'conditions' },
    );
    const begins = async (client: RestClient) =>
      Object.fromEntries(
        (await client.post<DryRun>('/workflows/dry-run', { definition: file })).tasks.map(({ key, begins: begin }) => [key, begin]),
      );
    expect(await begins(server.admin)).toEqual({ extract: 'at-once', full: 'skipped', publish: 'undecided' });
    const stranger = await cast.player();
    expect(await begins(stranger.client)).toEqual({ extract: 'at-once', full: 'undecided', publish: 'undecided' });
  });

  it('refuses what a start would refuse', async () => {
    const run = (body: object) => problemFrom(server.admin.post('/workflows/dry-run', body));
    expect(await run({ definition, parameters: {} })).toMatchObject({ status: 400, code: 'parameter-invalid' });
    expect(await run({ definition: { ...definition, tasks: {} } })).toMatchObject({ code: 'workflow-invalid' });
  });
});

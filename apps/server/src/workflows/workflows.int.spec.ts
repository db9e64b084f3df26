import type {
  ApplyAnswer,
  CreatedApiToken,
  Page,
  ScheduleView,
  WorkflowDag,
  WorkflowListItem,
  WorkflowValidation,
  WorkflowVersionView,
  WorkflowView,
} from '@medley/contracts';
import { aWorkflow, withToken } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemFrom } from '../testing/problem.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

const nightly = { cron: '30 2 * * *', zone: 'Asia/Shanghai' };

describe('workflows', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  const apply = (document: unknown, query = '') => server.admin.post<ApplyAnswer>(`/workflows/apply${query}`, document);
  const schedulesOf = async (workflowId: string | null) =>
    (await server.admin.get<Page<ScheduleView>>(`/schedules?workflowId=${workflowId}`)).items;
  const count = async (table: string) => Number((await server.source.query(`select count(*) from ${table}`))[0].count);

  it('are created by the first apply and left alone by the second of the same', async () => {
    const document = aWorkflow({ a: { run: 'true' }, b: { run: 'true', needs: ['a'] } }, { workflow: 'twice' });
    const first = await apply(document);
    expect(first).toMatchObject({ version: 1, changed: true, dryRun: false });
    expect(first.changes.map(({ kind, name, action }) => `${action} ${kind} ${name}`)).toEqual([
      'create workflow twice',
      'create task a',
      'create task b',
    ]);
    expect(await apply(document)).toEqual({ ...first, changed: false, changes: [] });
  });

  it('get a new version when something changes, and keep the old one', async () => {
    const { workflowId } = await apply(aWorkflow({ a: { run: 'echo 1' } }, { workflow: 'versions' }));
    const second = await apply(aWorkflow({ a: { run: 'echo 2' } }, { workflow: 'versions' }));
    expect(second).toMatchObject({ workflowId, version: 2, changes: [{ kind: 'task', name: 'a', action: 'update', paths: ['run'] }] });
    const [one, two] = await Promise.all(
      [1, 2].map((version) => server.admin.get<WorkflowVersionView>(`/workflows/${workflowId}/versions/${version}`)),
    );
    expect([one!.yaml, two!.yaml].map((yaml) => /echo \d/.exec(yaml)?.[0])).toEqual(['echo 1', 'echo 2']);
    const versions = await server.admin.get<Page<{ version: number }>>(`/workflows/${workflowId}/versions?limit=1`);
    expect(versions).toMatchObject({ items: [{ version: 2, createdBy: 'admin' }], nextCursor: expect.any(String) });
  });

  it('show the text they were applied from, comments included', async () => {
    const yaml = '# mine\nmedley: 1\nproject: default\nworkflow: text\ntasks:\n  z: { run: "true" }\n  a: { run: "true" }\n';
    const { workflowId } = await server.admin.apply(yaml);
    const view = await server.admin.get<WorkflowView>(`/workflows/${workflowId}`);
    expect(view.version.yaml).toBe(yaml);
    expect(view).toMatchObject({ taskCount: 2, latestVersion: 1, lastRuns: [] });
  });

  it('are not touched by a dry run, which tells the same difference', async () => {
    const before = await Promise.all(['workflows', 'workflow_versions', 'schedules', 'projects'].map(count));
    const document = aWorkflow({ a: { run: 'true' } }, { project: 'brand-new', workflow: 'dry', schedules: { nightly } });
    const dry = await apply(document, '?dryRun=true');
    expect(dry).toMatchObject({ workflowId: null, dryRun: true, changed: true, version: 1 });
    expect(await Promise.all(['workflows', 'workflow_versions', 'schedules', 'projects'].map(count))).toEqual(before);
    expect((await apply(document)).changes).toEqual(dry.changes);
  });

  it('are created in a new project by an administrator only', async () => {
    const { token } = await server.admin.post<CreatedApiToken>('/tokens', { name: 'writer', scopes: ['write'] });
    const document = JSON.stringify(aWorkflow({ a: { run: 'true' } }, { project: 'not-there' }));
    const call = withToken(server.url, token).apply(document);
    expect(await problemFrom(call)).toMatchObject({ status: 404, code: 'not-found' });
  });

  it('keep what an operator said about a schedule, and never fire it at once', async () => {
    const document = (cron: string) =>
      aWorkflow({ a: { run: 'true' } }, { workflow: 'scheduled', schedules: { nightly: { ...nightly, cron } } });
    const { workflowId } = await apply(document('30 2 * * *'));
    const [created] = await schedulesOf(workflowId);
    expect(Date.parse(created!.nextFireAt!)).toBeGreaterThan(Date.now());
    await server.admin.patch(`/schedules/${created!.id}`, { enabled: false });
    const changed = await apply(document('* * * * *'));
    expect(changed.changes).toMatchObject([{ kind: 'schedule', name: 'nightly', action: 'update', paths: ['cron'] }]);
    expect(await schedulesOf(workflowId)).toMatchObject([
      { id: created!.id, cron: '* * * * *', enabled: false, nextFireAt: null, nextFires: [] },
    ]);
    await server.admin.patch(`/schedules/${created!.id}`, { enabled: true });
    const [enabled] = await schedulesOf(workflowId);
    expect(Date.parse(enabled!.nextFireAt!)).toBeGreaterThan(Date.now());
    expect(await count('runs')).toBe(0);
  });

  it('lose a schedule that the file no longer names only when it is pruned', async () => {
    const tasks = { a: { run: 'true' } };
    const { workflowId } = await apply(aWorkflow(tasks, { workflow: 'pruned', schedules: { nightly } }));
    const left = await apply(aWorkflow(tasks, { workflow: 'pruned' }));
    expect(left.changes).toMatchObject([{ kind: 'schedule', name: 'nightly', action: 'left', note: expect.stringContaining('prune') }]);
    expect(await schedulesOf(workflowId)).toHaveLength(1);
    const pruned = await apply(aWorkflow(tasks, { workflow: 'pruned' }), '?prune=true');
    expect(pruned).toMatchObject({ changed: true, changes: [{ name: 'nightly', action: 'remove' }] });
    expect(await schedulesOf(workflowId)).toEqual([]);
  });

  it('are refused when someone else changed them meanwhile', async () => {
    const document = (run: string) => JSON.stringify(aWorkflow({ a: { run } }, { workflow: 'raced' }));
    const { workflowId } = await apply(JSON.parse(document('1')));
    const etag = (await server.admin.request('GET', `/workflows/${workflowId}`)).headers.get('etag')!;
    const headers = { 'content-type': 'application/json', 'if-match': etag };
    const mine = await server.admin.request('POST', '/workflows/apply', { body: document('2'), headers });
    const theirs = await server.admin.request('POST', '/workflows/apply', { body: document('3'), headers });
    expect([mine.status, theirs.status]).toEqual([200, 412]);
    expect(await theirs.json()).toMatchObject({ code: 'stale-version' });
  });

  it('make one version when many apply the same at once', async () => {
    const document = aWorkflow({ a: { run: 'true' } }, { workflow: 'at-once', project: 'at-once' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => apply(document)));
    expect(answers.filter((answer) => answer.changed)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.workflowId)).size).toBe(1);
  });

  it('are validated with every fault and its place', async () => {
    const yaml = 'medley: 1\nproject: default\nworkflow: w\ntasks:\n  a:\n    rum: "true"\n  b:\n    run: "true"\n    needs: [c]\n';
    const answer = await server.admin.request('POST', '/workflows/validate', {
      body: yaml,
      headers: { 'content-type': 'application/yaml' },
    });
    const validation = (await answer.json()) as WorkflowValidation;
    expect(validation).toMatchObject({ valid: false, summary: null, dag: null });
    expect(validation.errors.map(({ line, path }) => `${line} ${path}`)).toEqual(expect.arrayContaining(['6 tasks.a.rum']));
    expect(validation.errors.some(({ path }) => path.startsWith('tasks.b.needs'))).toBe(true);
  });

  it('are refused for a pool that does not exist', async () => {
    const document = aWorkflow({ a: { run: 'true', pool: 'gpu' } }, { workflow: 'pooled' });
    expect(await server.admin.post('/workflows/validate', document)).toMatchObject({ valid: false, errors: [{ path: 'tasks.a.pool' }] });
    const yaml = 'medley: 1\nproject: default\nworkflow: pooled\ntasks:\n  a: { run: x, pool: defualt, timeout: 5 }\n';
    const answer = await server.admin.request('POST', '/workflows/validate', {
      body: yaml,
      headers: { 'content-type': 'application/yaml' },
    });
    expect(await answer.json()).toMatchObject({
      errors: [
        { path: 'tasks.a.pool', line: 5, column: 22, message: expect.stringContaining('did you mean `default`?') },
        { path: 'tasks.a.timeout', line: 5, column: 40 },
      ],
    });
    expect(await problemFrom(apply(document))).toMatchObject({
      status: 400,
      code: 'workflow-invalid',
      fields: [{ expected: 'one of: default' }],
    });
  });

  it('have a graph with levels', async () => {
    const tasks = { a: { run: '1' }, b: { run: '1', needs: ['a'] }, c: { run: '1', needs: { any: { a: 'failed', b: 'done' } } } };
    const { workflowId } = await apply(aWorkflow(tasks, { workflow: 'graph' }));
    const dag = await server.admin.get<WorkflowDag>(`/workflows/${workflowId}/dag`);
    expect(dag.levelCount).toBe(3);
    expect(dag.tasks.map(({ key, level, needsMode }) => [key, level, needsMode])).toEqual([
      ['a', 0, 'all'],
      ['b', 1, 'all'],
      ['c', 2, 'any'],
    ]);
  });

  it('are listed by name in pages that neither repeat nor leave out', async () => {
    const names: string[] = [];
    let cursor = '';
    do {
      const page: Page<WorkflowListItem> = await server.admin.get(`/workflows?limit=2${cursor}`);
      names.push(...page.items.map((item) => item.name));
      cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
    } while (cursor !== '');
    expect(names).toEqual([...names].toSorted());
    expect(names).toHaveLength(await count('workflows'));
    const found = await server.admin.get<Page<WorkflowListItem>>('/workflows?search=RAPH');
    expect(found.items.map((item) => item.name)).toEqual(['graph']);
  });

  it('are not found by an unknown id, and a malformed one is told', async () => {
    expect(await problemFrom(server.admin.get('/workflows/01890000-0000-7000-8000-000000000000'))).toMatchObject({ status: 404 });
    expect(await problemFrom(server.admin.get('/workflows/nonsense'))).toMatchObject({ status: 400, fields: [{ path: 'id' }] });
  });
});

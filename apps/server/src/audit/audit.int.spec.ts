import type {
  ApplyAnswer,
  AuditEvent,
  AuditEventDetail,
  CreatedApiToken,
  CreatedUser,
  Page,
  RunView,
  ScheduleView,
} from '@medley/contracts';
import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { anonymous, aWorkflow, type RestClient, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cast, type Player } from '../testing/cast.fixture.js';
import { TestAgent } from '../testing/test-agent.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

const PASSWORD = 'correct horse battery';

describe('the audit', () => {
  let server: TestServer;
  let cast: Cast;
  let sql: Sql;
  let projectId: string;
  let workflowId: string;
  let operator: Player;
  let projectAdmin: Player;

  beforeAll(async () => {
    server = await startTestServer();
    cast = new Cast(server);
    sql = sqlOutsideTransaction(server.source);
    projectId = await cast.project('alpha');
    operator = await cast.player({ roles: { [projectId]: 'operator' } });
    projectAdmin = await cast.player({ roles: { [projectId]: 'admin' } });
    workflowId = await apply('true');
  });
  afterAll(() => server.close());

  async function apply(run: string): Promise<string> {
    const file = aWorkflow(
      { a: { run, env: { DB_PASSWORD: 'geheim', REGION: run } } },
      { project: 'alpha', schedules: { nightly: { cron: '0 3 * * *', zone: 'UTC' } } },
    );
    return (await server.admin.post<ApplyAnswer>('/workflows/apply', file)).workflowId!;
  }
  const events = async (query: string, client: RestClient = server.admin) => (await client.get<Page<AuditEvent>>(`/audit?${query}`)).items;
  const newest = async (query: string, client: RestClient = server.admin): Promise<AuditEventDetail> => {
    const [event] = await events(query, client);
    return client.get<AuditEventDetail>(`/audit/${event!.id}`);
  };
  /** The status that a call is answered with. */
  const send = async (client: RestClient, method: string, path: string, body: object) =>
    (await client.request(method, path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })).status;
  const refusal = (query: string) => waitFor(async () => (await events(`outcome=refused&${query}`))[0]);

  it('tells of a changed user who changed what, from what to what, with nothing that stayed', async () => {
    const { id } = await server.admin.post<CreatedUser>('/users', { name: 'anna', displayName: 'Anna', password: PASSWORD });
    const created = await newest(`action=createUser&entityId=${id}`);
    expect(created).toMatchObject({ outcome: 'succeeded', entityType: 'user', entityName: 'anna', before: null, projectId: null });
    expect(created.after).toMatchObject({ name: 'anna', displayName: 'Anna', disabled: false });
    expect(created.actor).toMatchObject({ kind: 'user', name: server.credentials.adminName, via: 'session', credential: null });

    await server.admin.patch(`/users/${id}`, { displayName: 'Anna B.', disabled: true });
    const changed = await newest(`entityId=${id}&action=patchUser`);
    expect(changed).toMatchObject({
      before: { displayName: 'Anna', disabled: false },
      after: { displayName: 'Anna B.', disabled: true },
      fields: ['disabled', 'displayName'],
      address: '127.0.0.1',
    });
    expect(Object.keys(changed.after!)).toHaveLength(2);

    await server.admin.delete(`/users/${id}`);
    expect(await newest(`entityId=${id}`)).toMatchObject({ action: 'removeUser', before: { name: 'anna' }, after: null });
  });

  it('never holds a password, a token or a hash', async () => {
    const { id } = await server.admin.post<CreatedUser>('/users', { name: 'berta', password: PASSWORD });
    const { password } = await server.admin.post<{ password: string }>(`/users/${id}/password`, {});
    const { token } = await server.admin.post<CreatedApiToken>('/tokens', { name: 'pipeline', scopes: ['read'] });
    await server.admin.post('/join-tokens', {});
    await server.admin.post(`/workflows/${workflowId}/runs`, {});
    expect(await newest(`entityId=${id}`)).toMatchObject({ action: 'resetPassword', after: { password: '•••' } });
    expect(await newest('action=createToken')).toMatchObject({
      entityType: 'api-token',
      entityName: 'pipeline',
      after: { scopes: ['read'] },
    });
    const [stored] = await sql.query<{ all: string }>(`select string_agg(e::text, ' ') as all from audit_events e`);
    for (const secret of [PASSWORD, password, token, 'geheim', 'argon2']) expect(stored!.all).not.toContain(secret);
    expect(stored!.all).not.toMatch(/medley_(api|join|node)_/);
  });

  it('shows for a new version of a workflow what differs from the one before, secrets masked', async () => {
    await apply('echo 2');
    const event = await newest(`action=applyWorkflow&entityId=${workflowId}`);
    expect(event).toMatchObject({ project: 'alpha', before: { version: 1 }, after: { version: 2 } });
    expect(JSON.stringify(event.after)).toContain('echo 2');
    expect(JSON.stringify(event)).not.toContain('geheim');
    const count = (await events('action=applyWorkflow')).length;
    await server.admin.post('/workflows/apply?dryRun=true', aWorkflow({ a: { run: 'exit 1' } }, { project: 'alpha' }));
    expect(await events('action=applyWorkflow')).toHaveLength(count);
  });

  it('names the token by which something was done, and finds it by actor, action, entity and time', async () => {
    const [schedule] = (await operator.client.get<Page<ScheduleView>>('/schedules')).items;
    const from = new Date(Date.now() - 1000).toISOString();
    await operator.client.patch(`/schedules/${schedule!.id}`, { enabled: false });
    const event = await newest(`userId=${operator.id}&action=patchSchedule&entityType=schedule&from=${from}&projectId=${projectId}`);
    expect(event).toMatchObject({ before: { enabled: true }, after: { enabled: false }, actor: { via: 'token', credential: 'test' } });
    expect(await events(`userId=${operator.id}&to=${from}&action=patchSchedule`)).toEqual([]);
    expect(await events(`actor=${operator.name.toUpperCase()}&action=patchSchedule`)).toHaveLength(1);
  });

  it('tells of a change of many things what was asked for and how many it hit, and nothing of a dry run', async () => {
    const body = { projectId, enabled: true, dryRun: true };
    expect(await send(operator.client, 'POST', '/schedules/switch', body)).toBe(200);
    expect(await events('action=switchSchedules')).toEqual([]);
    expect(await send(operator.client, 'POST', '/schedules/switch', { ...body, dryRun: false })).toBe(200);
    const { after } = await newest(`action=switchSchedules&projectId=${projectId}`);
    expect(after).toMatchObject({ asked: { projectId, enabled: true }, answer: { matched: 1, changed: 1 } });
    expect(await send(operator.client, 'POST', '/schedules/switch', { ...body, enabled: false, dryRun: false })).toBe(200);
  });

  it('records an agent that joins by the name of its node', async () => {
    const agent = await TestAgent.join(server.url, server.credentials.joinToken);
    const event = await newest('action=joinNode');
    expect(event).toMatchObject({ outcome: 'succeeded', entityType: 'node', entityId: agent.nodeId, actor: { kind: 'agent' } });
    expect(event.actor.name).toBe(event.entityName);
  });

  it('records what a role may not do, with the code, at the project it was tried in', async () => {
    expect(
      await send(operator.client, 'PUT', `/projects/${projectId}/members`, { kind: 'user', principalId: operator.id, role: 'admin' }),
    ).toBe(403);
    const event = await refusal(`userId=${operator.id}&action=putProjectMember`);
    expect(event).toMatchObject({ code: 'permission-denied', projectId, entityType: 'member', actor: { name: operator.name } });
    const stranger = await cast.player({});
    expect(await send(stranger.client, 'POST', `/workflows/${workflowId}/runs`, {})).toBe(404);
    expect(await refusal(`userId=${stranger.id}`)).toMatchObject({ action: 'startRun', code: 'not-found', projectId });
  });

  it('records failed sign-ins and the lock, by the name of a user only when there is one, and ten a minute at most', async () => {
    const { id } = await server.admin.post<CreatedUser>('/users', { name: 'carla', password: PASSWORD });
    const tried = (name: string) => send(anonymous(server.url), 'POST', '/login', { name, password: 'guess' });
    await tried('my password by mistake');
    expect(await refusal('action=login')).toMatchObject({
      entityName: null,
      actor: { kind: 'anonymous', name: null },
      code: 'login-failed',
    });
    for (let failure = 0; failure < 12; failure++) await tried('Carla');
    expect(await refusal(`action=login&entityId=${id}`)).toMatchObject({ entityName: 'carla' });
    const ofLogin = await waitFor(async () => {
      const found = await events('action=login');
      return found.some(({ code }) => code === 'too-many-requests') ? found : undefined;
    });
    expect(ofLogin.filter(({ code }) => code === 'login-failed')).toHaveLength(10);
    const [stored] = await sql.query<{ all: string }>(`select string_agg(e::text, ' ') as all from audit_events e`);
    expect(stored!.all).not.toContain('by mistake');
  });

  it('is written before the change is made, so that a server that goes down leaves it with an unknown outcome', async () => {
    const runner = server.source.createQueryRunner();
    await runner.startTransaction();
    await runner.query('select 1 from schedules where project_id = $1 for update', [projectId]);
    const [schedule] = (await server.admin.get<Page<ScheduleView>>('/schedules')).items;
    const change = server.admin.patch(`/schedules/${schedule!.id}`, { enabled: true });
    const begun = await waitFor(async () => (await events(`outcome=unknown&entityId=${schedule!.id}`))[0]);
    expect(begun).toMatchObject({ action: 'patchSchedule', finishedAt: null });
    expect(await server.admin.get(`/audit/${begun.id}`)).toMatchObject({ before: { enabled: false }, after: null });
    await runner.rollbackTransaction();
    await runner.release();
    await change;
    expect(await server.admin.get(`/audit/${begun.id}`)).toMatchObject({ outcome: 'succeeded', finishedAt: expect.any(String) });
  });

  it('refuses nothing and loses nothing when a handler refuses: the event has the code', async () => {
    expect(await send(server.admin, 'POST', '/projects', { name: 'alpha' })).toBe(409);
    expect(await newest('action=createProject')).toMatchObject({ outcome: 'refused', code: 'name-taken', before: null, after: null });
  });

  it('costs the start of a run two statements', async () => {
    const seen: string[] = [];
    const original = server.source.createQueryRunner.bind(server.source);
    const restore = () => Object.assign(server.source, { createQueryRunner: original });
    Object.assign(server.source, {
      createQueryRunner: (...of: []) => {
        const runner = original(...of);
        const connect = runner.connect.bind(runner);
        runner.connect = async () => {
          const client = await connect();
          return new Proxy(client, {
            get: (target, key) => {
              if (key !== 'query') return typeof target[key] === 'function' ? target[key].bind(target) : target[key];
              return (query: string | { text: string }) => {
                seen.push(typeof query === 'string' ? query : query.text);
                return target.query(query);
              };
            },
          });
        };
        return runner;
      },
    });
    try {
      await server.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
    } finally {
      restore();
    }
    const ofAudit = seen.filter((text) => text.includes('audit_events'));
    expect(ofAudit.map((text) => text.trim().slice(0, 6))).toEqual(['insert', 'update']);
    expect(await newest('action=startRun')).toMatchObject({ outcome: 'succeeded', entityType: 'run', projectId, after: { version: 2 } });
  });

  describe('is read', () => {
    it('by the admin of a project as far as that project goes, by others of it not at all, and by the platform wholly', async () => {
      const member = await cast.player({});
      await send(projectAdmin.client, 'PUT', `/projects/${projectId}/members`, { kind: 'user', principalId: member.id, role: 'viewer' });
      const mine = await events('limit=200', projectAdmin.client);
      expect(mine.length).toBeGreaterThan(3);
      expect(new Set(mine.map((event) => event.projectId))).toEqual(new Set([projectId]));
      expect(mine[0]).toMatchObject({ action: 'putProjectMember', entityType: 'member', entityName: member.name });
      expect(await events('', operator.client)).toEqual([]);
      const foreign = await newest('action=createUser');
      expect((await projectAdmin.client.request('GET', `/audit/${foreign.id}`)).status).toBe(404);
      expect((await events('limit=200')).some((event) => event.projectId === null)).toBe(true);
    });

    it('page by page, each event once', async () => {
      const whole = (await events('limit=200')).map(({ id }) => id);
      const paged: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: Page<AuditEvent> = await server.admin.get(`/audit?limit=7${cursor && `&cursor=${cursor}`}`);
        paged.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor;
      }
      expect(paged).toEqual(whole);
    });

    it('as CSV and as JSON lines, whole, however many there are', async () => {
      await sql.query(
        `insert into audit_events (id, action, actor_kind, actor_name, entity_type, outcome, request_id, project_id, after)
         select ('01890000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'startRun', 'user', '=cmd()', 'run', 'succeeded', 'r', $1, '{"a": "x,\\"y\\""}'
         from generate_series(1, 1200) n`,
        [projectId],
      );
      const text = async (format: string) =>
        (await server.admin.request('GET', `/audit/export?format=${format}&actor=${encodeURIComponent('=cmd')}`)).text();
      const lines = (await text('jsonl')).trimEnd().split('\n');
      expect(lines).toHaveLength(1200);
      expect(JSON.parse(lines[0]!)).toMatchObject({
        action: 'startRun',
        project: 'alpha',
        after: { a: 'x,"y"' },
        at: expect.stringMatching(/Z$/),
      });
      const csv = (await text('csv')).trimEnd().split('\r\n');
      expect(csv).toHaveLength(1201);
      expect(csv[1]).toContain(`,'=cmd(),`);
      expect(csv[1]).toContain('"{""a"":""x,\\""y\\""""}"');
    });
  });
});

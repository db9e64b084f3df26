import { randomBytes, randomUUID } from 'node:crypto';
import {
  type AuditEvent,
  type Page,
  type ResealAnswer,
  type RunTasks,
  type RunView,
  type ScheduleView,
  SECRETS_PROTOCOL,
  type SecretView,
  type VariableUses,
  type WebhookSecret,
  type Why,
} from '@medley/contracts';
import { aWorkflow, waitFor } from '@medley/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readServerConfig } from '../config.js';
import { createApp } from '../create-app.js';
import { createLogger } from '../logging/logger.js';
import { Cast, type Player } from '../testing/cast.fixture.js';
import { problemFrom } from '../testing/problem.js';
import { TestAgent } from '../testing/test-agent.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';
import { reference } from '../testing/workflow.fixture.js';
import { sign } from '../webhooks/signature.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import { SecretKeys } from './secret-keys.js';
import { SecretsService } from './secrets.service.js';

const key = () => randomBytes(32).toString('base64');
const value = 'correct-horse-battery';

describe('secrets of a project', () => {
  const first = key();
  let server: TestServer;
  let projectId: string;
  let developer: Player;
  let viewer: Player;
  let stranger: Player;
  let agent: TestAgent;
  beforeAll(async () => {
    server = await startTestServer({ MEDLEY_SECRET_KEYS: first });
    const cast = new Cast(server);
    projectId = await cast.project('growth');
    developer = await cast.player({ roles: { [projectId]: 'developer' } });
    viewer = await cast.player({ roles: { [projectId]: 'viewer' } });
    stranger = await cast.player();
    agent = await TestAgent.join(server.url, server.credentials.joinToken);
    await speaks(SECRETS_PROTOCOL);
  });
  afterAll(() => server.close());

  const speaks = (protocol: number) => server.source.query('update nodes set protocol = $1', [protocol]);
  const path = (name: string) => `/projects/${projectId}/secrets/${name}`;
  const list = (player: Player) => player.client.get<Page<SecretView>>(`/projects/${projectId}/secrets`);

  it('are written by developers, named to viewers, hidden from others, and given back to nobody', async () => {
    const set = await developer.client.put<SecretView>(path('lake'), { value, description: 'of the lake' });
    const listed = await list(viewer);
    expect(listed.items.map(({ name }) => name)).toEqual(['lake']);
    expect(JSON.stringify([set, listed])).not.toContain(value);
    expect(await problemFrom(viewer.client.put(path('lake'), { value }))).toMatchObject({ status: 403 });
    expect(await problemFrom(stranger.client.get(`/projects/${projectId}/secrets`))).toMatchObject({ status: 404 });
    for (const short of ['', '12345']) {
      expect(await problemFrom(developer.client.put(path('short'), { value: short }))).toMatchObject({ code: 'validation-failed' });
    }
  });

  it('reach a task with its claim and stand nowhere in the database or in the audit', async () => {
    const file = aWorkflow({ a: { run: 'true', env: { AUTH: `Bearer ${reference('secrets.lake')}` } } }, { project: 'growth' });
    const { workflowId } = await server.admin.post<{ workflowId: string }>('/workflows/apply', file);
    expect(await viewer.client.get<VariableUses>(`${path('lake')}/uses`)).toMatchObject({ workflows: [{ id: workflowId }] });
    await server.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
    const [dispatch] = await agent.receive();
    expect(JSON.stringify(dispatch)).not.toContain(value);
    const claimed = await agent.claim(dispatch!);
    expect(claimed).toMatchObject({ granted: true, work: { env: { AUTH: `Bearer ${value}` }, secrets: [value] } });
    expect(await tablesHolding(value)).toEqual([]);
    const { items } = await server.admin.get<Page<AuditEvent>>('/audit?limit=100');
    expect(items.map(({ action }) => action)).toContain('putSecret');
  });

  it('fail the task that names a missing one at its claim, by name', async () => {
    const file = aWorkflow({ b: { run: 'true', env: { T: reference('secrets.gone') } } }, { project: 'growth', workflow: 'lacking' });
    const { workflowId } = await server.admin.post<{ workflowId: string }>('/workflows/apply', file);
    const run = await server.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
    const [dispatch] = await agent.receive();
    expect(await agent.claim(dispatch!)).toMatchObject({ granted: false });
    const { items } = await server.admin.get<{ items: { id: string; reason: { text: string } }[] }>(`/runs/${run.id}/tasks`);
    expect(items[0]!.reason.text).toContain('`secrets.gone`: the project has no secret of that name');
    const { reason } = await server.admin.get<Why>(`/task-runs/${items[0]!.id}/why`);
    expect(reason.explanation).toEqual({ code: 'secret-unknown', values: { name: 'secrets.gone' } });
  });

  async function namesLake(workflow: string): Promise<string> {
    const file = aWorkflow({ c: { run: 'true', env: { T: reference('secrets.lake') } } }, { project: 'growth', workflow });
    const { workflowId } = await server.admin.post<{ workflowId: string }>('/workflows/apply', file);
    return (await server.admin.post<RunView>(`/workflows/${workflowId}/runs`, {})).id;
  }

  it('wait while every node has an agent of a version that does not mask them, and say so; another task is placed there', async () => {
    await speaks(SECRETS_PROTOCOL - 1);
    const runId = await namesLake('waits-for-agent');
    const { items } = await server.admin.get<RunTasks>(`/runs/${runId}/tasks`);
    await waitFor(async () => (await server.admin.get<Why>(`/task-runs/${items[0]!.id}/why`)).state === 'blocked');
    const { reason } = await server.admin.get<Why>(`/task-runs/${items[0]!.id}/why`);
    expect(reason).toMatchObject({ code: 'no-eligible-node', values: { nodes: [{ obstacle: { code: 'cannot-mask' } }] } });
    expect(reason.text).toContain('cannot mask secrets');
    const plain = aWorkflow({ d: { run: 'true' } }, { project: 'growth', workflow: 'plain' });
    const { workflowId } = await server.admin.post<{ workflowId: string }>('/workflows/apply', plain);
    await server.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
    const [other] = await agent.receive();
    expect(await agent.claim(other!)).toMatchObject({ granted: true, work: { taskKey: 'd' } });

    await speaks(SECRETS_PROTOCOL);
    const [dispatch] = await agent.receive();
    expect(await agent.claim(dispatch!)).toMatchObject({ granted: true, work: { taskKey: 'c', secrets: [value] } });
  });

  it('are not handed to an agent that came back as such a version after the placement', async () => {
    const runId = await namesLake('old-agent');
    const [dispatch] = await agent.receive();
    await speaks(SECRETS_PROTOCOL - 1);
    const claimed = await agent.claim(dispatch!);
    await speaks(SECRETS_PROTOCOL);
    expect(claimed.granted).toBe(false);
    expect(JSON.stringify(claimed)).not.toContain(value);
    const { items } = await server.admin.get<{ items: { reason: { text: string } }[] }>(`/runs/${runId}/tasks`);
    expect(items[0]!.reason.text).toContain('cannot mask secrets');
  });

  it('are sealed anew with a new first key, after which the old one is not needed', async () => {
    const second = key();
    const rotated = await other(`${second},${first}`);
    try {
      expect(await rotated.get(SecretsService).reseal()).toEqual({ resealed: 1, unopened: 0 } satisfies ResealAnswer);
      expect(await rotated.get(SecretsService).reseal()).toEqual({ resealed: 0, unopened: 0 });
    } finally {
      await rotated.close();
    }
    const [row] = await server.source.query('select sealed, key_id as "keyId" from project_secrets');
    const keysOf = (text: string) => new SecretKeys(configWith(text));
    expect(keysOf(second).open(projectId, 'lake', row)).toBe(value);
    expect(keysOf(second).open(projectId, 'another', row)).toBeNull();
    expect(keysOf(first).open(projectId, 'lake', row)).toBeNull();
    expect(await problemFrom(developer.client.post('/secrets/reseal', {}))).toMatchObject({ status: 403 });
    expect(await server.admin.post<ResealAnswer>('/secrets/reseal', {})).toEqual({ resealed: 0, unopened: 1 });
  });

  it('share their keys with webhooks: these are sealed anew too, also the key before, and open with the new one alone', async () => {
    const hooks = { keyed: { webhook: {} }, early: { webhook: {} } };
    const file = aWorkflow({ a: { run: 'true' } }, { project: 'growth', workflow: 'hooked', schedules: hooks });
    await server.admin.post('/workflows/apply', file);
    const { items } = await server.admin.get<Page<ScheduleView>>('/schedules');
    const idOf = (name: string) => items.find((schedule) => schedule.name === name)!.id;
    const keyless = await other('');
    const early = await keyless.get(WebhooksService).rotate(idOf('early'), { graceHours: 0 });
    await keyless.close();
    const rotate = () => server.admin.post<WebhookSecret>(`/schedules/${idOf('keyed')}/webhook/secret`, { graceHours: 1 });
    const keyed = [await rotate(), await rotate()];
    const send = async (url: string, { address, secret }: WebhookSecret) => {
      const [id, timestamp, body] = [randomUUID(), Math.floor(Date.now() / 1000), '{}'];
      const signature = `v1,${sign(Buffer.from(secret.slice('whsec_'.length), 'base64'), id, timestamp, Buffer.from(body))}`;
      const signed = { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };
      const answer = await fetch(url + address, { method: 'POST', headers: { 'content-type': 'application/json', ...signed }, body });
      return answer.ok ? 'accepted' : ((await answer.json()) as { code: string }).code;
    };
    const toAll = async (url: string) => [await send(url, early), await send(url, keyed[0]!), await send(url, keyed[1]!)];
    expect(await toAll(server.url)).toEqual(['accepted', 'accepted', 'accepted']);

    const third = key();
    const rotated = await other(`${third},${first}`);
    const before = (await rotated.get(SecretsService).reseal()).resealed;
    expect([before, (await rotated.get(SecretsService).reseal()).resealed]).toEqual([2, 0]);
    await rotated.close();
    const only = await other(third);
    await only.listen(0, '127.0.0.1');
    expect(await toAll(await only.getUrl())).toEqual(['accepted', 'accepted', 'accepted']);
    await only.close();
    expect(await toAll(server.url)).toEqual(['secret-keys-missing', 'secret-keys-missing', 'secret-keys-missing']);
  });

  it('are not stored without a key', async () => {
    const keyless = await other('');
    try {
      const put = keyless.get(SecretsService);
      expect(() => put.put(projectId, 'x', { value, description: '' })).toThrow('MEDLEY_SECRET_KEYS');
    } finally {
      await keyless.close();
    }
    expect(() => configWith('c2hvcnQ=')).toThrow('keys of 32 bytes');
  });

  function configWith(keys: string) {
    const { url } = server.source.options as { url: string };
    return readServerConfig({ MEDLEY_DATABASE_URL: url, MEDLEY_PORT: '0', MEDLEY_DATABASE_POOL_SIZE: '4', MEDLEY_SECRET_KEYS: keys });
  }

  async function other(keys: string): Promise<NestFastifyApplication> {
    const app = await createApp(configWith(keys), createLogger('silent'));
    await app.init();
    return app;
  }

  /** Every table of the database with a row that holds the text, also as bytes. */
  async function tablesHolding(text: string): Promise<string[]> {
    const hex = Buffer.from(text).toString('hex');
    const tables: { name: string }[] = await server.source.query(
      `select format('%I', tablename) as name from pg_tables where schemaname = 'public'`,
    );
    const holding: string[] = [];
    for (const { name } of tables) {
      const rows = await server.source.query(`select 1 from ${name} t where t::text like $1 or t::text like $2 limit 1`, [
        `%${text}%`,
        `%${hex}%`,
      ]);
      if (rows.length > 0) holding.push(name);
    }
    return holding;
  }
});

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import {
  type ApplyAnswer,
  type Page,
  type RunView,
  type ScheduleView,
  type Webhook,
  type WebhookAnswer,
  type WebhookDelivery,
  type WebhookSecret,
  webhookExample,
} from '@medley/contracts';
import { aWorkflow } from '@medley/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readServerConfig } from '../config.js';
import { createApp } from '../create-app.js';
import { createLogger } from '../logging/logger.js';
import { problemFrom } from '../testing/problem.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';
import { sign } from './signature.js';

const payload = { order: { day: '2026-03-01', region: '${{ run.id }}' }, noise: [1, 2] };

describe('webhooks', () => {
  let server: TestServer;
  let second: NestFastifyApplication;
  let other: { url: string };
  let schedules: ScheduleView[];
  let secret: WebhookSecret;
  beforeAll(async () => {
    server = await startTestServer();
    const { url } = server.source.options as { url: string };
    const env = { MEDLEY_DATABASE_URL: url, MEDLEY_PORT: '0', MEDLEY_DATABASE_POOL_SIZE: '6' };
    second = await createApp(readServerConfig(env), createLogger('silent'));
    await second.listen(0, '127.0.0.1');
    other = { url: await second.getUrl() };
    const document = aWorkflow(
      { a: { run: 'true' } },
      {
        parameters: { day: { type: 'date' }, region: { type: 'string', default: 'north' }, at: { type: 'date', default: '2026-01-01' } },
        schedules: {
          hook: {
            webhook: { payload: { day: '/order/day', region: '/order/region' }, perMinute: 8 },
            zone: 'Asia/Shanghai',
            parameters: { at: '${{ schedule.date }}' },
          },
          plain: { webhook: {} },
          nightly: { cron: '0 3 * * *', parameters: { day: '${{ schedule.date }}' } },
        },
      },
    );
    await server.admin.post<ApplyAnswer>('/workflows/apply', document);
    schedules = (await server.admin.get<Page<ScheduleView>>('/schedules?sort=name')).items;
    secret = await server.admin.post<WebhookSecret>(`/schedules/${hook().id}/webhook/secret`, {});
  });
  afterAll(async () => {
    await second.close();
    await server.close();
  });

  const hook = () => schedules.find(({ name }) => name === 'hook')!;
  const keyOf = (text: string) => Buffer.from(text.slice('whsec_'.length), 'base64');
  const deliveries = async (id = hook().id) => (await server.admin.get<Page<WebhookDelivery>>(`/schedules/${id}/webhook/deliveries`)).items;

  interface Sending {
    url?: string;
    to?: WebhookSecret;
    id?: string;
    secondsOff?: number;
    body?: unknown;
    /** Instead of what was signed. */
    sent?: unknown;
  }

  async function send({ url = server.url, to = secret, id = randomUUID(), secondsOff = 0, body = payload, sent = body }: Sending = {}) {
    const timestamp = Math.floor(Date.now() / 1000) + secondsOff;
    const answer = await fetch(`${url}${to.address}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${sign(keyOf(to.secret), id, timestamp, Buffer.from(JSON.stringify(body)))}`,
      },
      body: JSON.stringify(sent),
    });
    return {
      status: answer.status,
      body: (await answer.json()) as WebhookAnswer & { code?: string; detail?: string; fields?: { path: string }[] },
    };
  }
  const reset = () => server.source.query('update webhooks set window_count = 0');

  it.each([
    ['as a form', (address: string) => address, 'application/x-www-form-urlencoded', 'order=1'],
    [
      'by another spelling of the address',
      (address: string) => address.replace('/hooks/', '/hook%73/'),
      'application/json',
      '{"order":{}}',
    ],
  ])('are refused when they come %s, signed without their body', async (_, spelled, type, body) => {
    const id = randomUUID();
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = `v1,${sign(keyOf(secret.secret), id, timestamp, Buffer.alloc(0))}`;
    const headers = { 'content-type': type, 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };
    const answer = await fetch(`${server.url}${spelled(secret.address!)}`, { method: 'POST', headers, body });
    expect([401, 415]).toContain(answer.status);
  });

  it('start a run with the payload as typed parameters, taken literally, and note delivery and audit', async () => {
    const { status, body } = await send({ id: 'first' });
    expect([status, body]).toMatchObject([202, { deliveryId: 'first', repeated: false }]);
    const run = await server.admin.get<RunView>(`/runs/${body.runId}`);
    expect(run).toMatchObject({
      trigger: 'webhook',
      schedule: 'hook',
      createdBy: null,
      parameters: { day: '2026-03-01', region: '${{ run.id }}' },
    });
    const today = new Intl.DateTimeFormat('sv', { timeZone: 'Asia/Shanghai' }).format(new Date(run.fireAt!));
    expect(run.parameters.at).toBe(today);
    expect((await deliveries())[0]).toMatchObject({ deliveryId: 'first', outcome: 'accepted', runId: run.id, repeats: 0 });
    const { items } = await server.admin.get<Page<{ action: string; actor: { kind: string } }>>(`/audit?entityId=${run.id}`);
    expect(items).toMatchObject([{ action: 'receiveWebhook', actor: { kind: 'anonymous' } }]);
    expect(await server.admin.get(`/schedules/${hook().id}`)).toMatchObject({
      kind: 'webhook',
      cron: null,
      nextFireAt: null,
      lastRun: { id: run.id },
    });
  });

  it('start one run for a delivery that comes several times, to any server and at once', async () => {
    await reset();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, turn) => send({ id: 'again', url: turn % 2 ? other.url : server.url })),
    );
    expect(new Set(answers.map(({ body }) => body.runId)).size).toBe(1);
    expect(answers.map(({ body }) => body.repeated).toSorted()).toEqual([false, true, true, true, true, true]);
    expect((await deliveries())[0]).toMatchObject({ deliveryId: 'again', repeats: 5 });
  });

  it.each<[string, Sending, string]>([
    ['another body than was signed', { sent: { order: { day: '2026-03-02' } } }, 'webhook-signature-invalid'],
    ['an old signature', { secondsOff: -400 }, 'webhook-timestamp-invalid'],
    ['a signature of the future', { secondsOff: 400 }, 'webhook-timestamp-invalid'],
    ['a value of the wrong type', { body: { order: { day: 'yesterday' } } }, 'parameter-invalid'],
    ['a payload without what a parameter needs', { body: { order: {} } }, 'parameter-invalid'],
  ])('refuse %s, start nothing, and tell so in the list of deliveries', async (_, sending, code) => {
    await reset();
    const before = await server.admin.get('/runs/count');
    const { status, body } = await send({ id: `refused ${code}`.replaceAll(' ', '-'), ...sending });
    expect([status, body.code]).toEqual([code === 'parameter-invalid' ? 400 : 401, code]);
    if (code === 'parameter-invalid') expect(body.fields).toMatchObject([{ path: 'parameters.day' }]);
    expect((await deliveries())[0]).toMatchObject({ outcome: 'refused', code, runId: null });
    expect(await server.admin.get('/runs/count')).toEqual(before);
  });

  it('take an id that was refused once it is right', async () => {
    await reset();
    expect(await send({ id: 'mended', body: { order: {} } })).toMatchObject({ status: 400 });
    expect(await send({ id: 'mended' })).toMatchObject({ status: 202, body: { repeated: false } });
  });

  it('take the fields of the payload for parameters where no map is given, and refuse unknown ones by name', async () => {
    const to = await server.admin.post<WebhookSecret>(
      `/schedules/${schedules.find(({ name }) => name === 'plain')!.id}/webhook/secret`,
      {},
    );
    expect(await send({ to, body: { day: '2026-03-01', region: 'south' } })).toMatchObject({ status: 202 });
    expect(await send({ to, body: { day: '2026-03-01', regoin: 'x' } })).toMatchObject({
      status: 400,
      body: { fields: [{ path: 'parameters.regoin' }] },
    });
  });

  it('take no more in a minute than they may, over all servers', async () => {
    await reset();
    const answers = await Promise.all(Array.from({ length: 12 }, (_, turn) => send({ url: turn % 2 ? other.url : server.url })));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(8);
    expect(answers.filter(({ body }) => body.code === 'too-many-requests')).toHaveLength(4);
  });

  it('go on with the secret before a rotation as long as was said, and end it at once when that is wanted', async () => {
    await reset();
    const next = await server.admin.post<WebhookSecret>(`/schedules/${hook().id}/webhook/secret`, { graceHours: 1 });
    expect(next.address).toBe(secret.address);
    expect(next.previousUntil).not.toBeNull();
    expect([(await send()).status, (await send({ to: next })).status]).toEqual([202, 202]);
    const last = await server.admin.post<WebhookSecret>(`/schedules/${hook().id}/webhook/secret`, { graceHours: 0 });
    expect([(await send({ to: next })).status, (await send({ to: last })).status]).toEqual([401, 202]);
    expect(JSON.stringify(await server.admin.get<Webhook>(`/schedules/${hook().id}/webhook`))).not.toContain('whsec_');
    const stored = await server.source.query(`select coalesce(string_agg(after::text, ''), '') as text from audit_events`);
    expect(stored[0].text).not.toContain('whsec_');
    secret = last;
  });

  it('are called by what the example says', async () => {
    await reset();
    const script = webhookExample(`${server.url}${secret.address}`, JSON.stringify(payload)).replace('whsec_…', secret.secret);
    const { stdout } = await promisify(execFile)('sh', ['-c', script]);
    expect(JSON.parse(stdout)).toMatchObject({ repeated: false, runId: expect.any(String) });
  });

  it('refuse deliveries while their schedule is disabled, and are none of schedules of another kind or of no address', async () => {
    await reset();
    await server.admin.patch(`/schedules/${hook().id}`, { enabled: false });
    expect(await send()).toMatchObject({ status: 409, body: { code: 'schedule-disabled' } });
    const cron = schedules.find(({ name }) => name === 'nightly')!;
    expect(await problemFrom(server.admin.post(`/schedules/${cron.id}/webhook/secret`, {}))).toMatchObject({ code: 'schedule-kind-wrong' });
    expect(
      await problemFrom(server.admin.post(`/schedules/${hook().id}/backfills/preview`, { from: '2026-01-01', to: '2026-01-02' })),
    ).toMatchObject({
      code: 'schedule-kind-wrong',
    });
    expect(await send({ to: { ...secret, address: `${secret.address}x` } })).toMatchObject({ status: 404 });
  });
});

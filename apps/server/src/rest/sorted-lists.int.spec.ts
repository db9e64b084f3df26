import { randomBytes } from 'node:crypto';
import type { ApplyAnswer, CreatedApiToken, Page } from '@medley/contracts';
import { uuidv7 } from '@medley/database';
import { aWorkflow, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemFrom } from '../testing/problem.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

type Row = Record<string, unknown>;

describe('lists that are sorted by the server', () => {
  let server: TestServer;
  const places: Record<string, string> = {};
  beforeAll(async () => {
    server = await startTestServer({ MEDLEY_SECRET_KEYS: randomBytes(32).toString('base64') });
    const { admin } = server;
    const { id: projectId } = await admin.post<{ id: string }>('/projects', { name: 'sorted' });
    // Pairs that are equal in everything but the name, and of most things one that has none of what is sorted by.
    for (const name of ['Zoe', 'anna', 'berta']) await admin.post('/users', { name, displayName: name === 'Zoe' ? 'Z' : 'same' });
    for (const name of ['one', 'two', 'three']) {
      await admin.post('/groups', { name, description: '' });
      await admin.put(`/projects/${projectId}/variables/${name}`, { value: 'x', description: '' });
      await admin.put(`/projects/${projectId}/secrets/${name}`, { value: 'a long text', description: '' });
      await admin.put(`/projects/${projectId}/calendars/${name}`, { version: null });
      await admin.post(`/projects/${projectId}/limits`, { name, slots: name === 'two' ? 2 : 1 });
      await admin.post<CreatedApiToken>('/tokens', { name, scopes: ['read'], expiresInDays: name === 'two' ? null : 7 });
      await admin.post('/join-tokens', { maxUses: 3 });
    }
    const schedules = { hook: { webhook: {} }, past: { cron: '0 6 * * *', enabled: false, calendar: 'two' } };
    const { workflowId } = await admin.post<ApplyAnswer>('/workflows/apply', {
      ...aWorkflow({
        ...Object.fromEntries(['x', 'y', 'z'].map((key) => [key, { kind: 'approval', by: ['role:operator'] }])),
        b: { kind: 'approval', by: ['user:anna'], deadline: '2d' },
      } as never),
      project: 'sorted',
      schedules,
    });
    for (const _ of [1, 2]) await admin.post(`/workflows/${workflowId}/runs`, {});
    await waitFor(async () => (await admin.get<Page<Row>>('/approvals')).items.length === 8, { describe: 'every approval to wait' });
    const [schedule] = (await admin.get<Page<{ id: string }>>('/schedules?search=hook')).items;
    const [past] = (await admin.get<Page<{ id: string }>>('/schedules?search=past')).items;
    for (const to of ['2026-03-01', '2026-03-02', '2026-03-02']) {
      const range = { from: '2026-03-01', to, fires: 'all', expected: to === '2026-03-01' ? 1 : 2 };
      const { id } = await admin.post<Row>(`/schedules/${past!.id}/backfills`, range);
      await admin.post(`/backfills/${id}/cancel`, { runs: 'cancel' });
    }
    await waitFor(
      async () => (await admin.get<Page<Row>>(`/schedules/${past!.id}/backfills`)).items.every(({ state }) => state === 'cancelled'),
      { describe: 'every backfill to be cancelled' },
    );
    for (const bytes of [5, 5, 7]) {
      await server.source.query(
        `insert into webhook_deliveries (id, schedule_id, outcome, bytes, received_at) values ($1, $2, 'accepted', $3, '2026-01-02T03:04:05Z')`,
        [uuidv7(), schedule!.id, bytes],
      );
    }
    for (const list of ['variables', 'secrets', 'calendars']) places[list] = `/projects/${projectId}/${list}`;
    Object.assign(places, { backfills: `/schedules/${past!.id}/backfills`, deliveries: `/schedules/${schedule!.id}/webhook/deliveries` });
  });
  afterAll(() => server.close());

  const place = (list: string) => places[list] ?? `/${list}`;

  async function allPages(list: string, sort: string): Promise<Row[]> {
    const rows: Row[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Page<Row> = await server.admin.get(`${place(list)}?limit=1&sort=${sort}${cursor && `&cursor=${cursor}`}`);
      rows.push(...page.items);
      cursor = page.nextCursor;
    }
    return rows;
  }

  it.each([
    ['users', ['name', 'displayName', 'source', 'created', 'lastSignIn']],
    ['groups', ['name', 'members', 'projects', 'created']],
    ['projects', ['name', 'created']],
    ['variables', ['name', 'updated']],
    ['secrets', ['name', 'updated']],
    ['calendars', ['name', 'schedules', 'updated']],
    ['approvals', ['since', 'deadline', 'task', 'workflow', 'startedBy']],
    ['backfills', ['created', 'from', 'state', 'total', 'createdBy']],
    ['limits', ['place', 'name', 'slots', 'taken', 'waiting']],
    ['tokens', ['name', 'created', 'expires', 'lastUsed']],
    ['all-tokens', ['name', 'created', 'expires', 'lastUsed', 'user']],
    ['join-tokens', ['pool', 'uses', 'created', 'expires']],
    ['sessions', ['created', 'lastSeen', 'expires', 'address', 'user']],
    ['me/sessions', ['created', 'lastSeen', 'expires', 'address']],
    ['deliveries', ['received', 'outcome', 'bytes']],
  ])('go through %s one by one by any key, equals too, and back the same way', async (list, keys) => {
    for (const key of keys) {
      const whole = (await server.admin.get<Page<Row>>(`${place(list)}?sort=${key}`)).items;
      expect(whole.length).toBeGreaterThan(0);
      expect(await allPages(list, key)).toEqual(whole);
      expect(await allPages(list, `-${key}`)).toEqual(whole.toReversed());
    }
  });

  const namesBy = async (list: string, sort: string) => (await allPages(list, sort)).map(({ name }) => name);

  it('stand by what is asked for: names whatever their case, never-used ones before all, lasting ones after all', async () => {
    expect(await namesBy('users', 'name')).toEqual(['admin', 'anna', 'berta', 'Zoe']);
    expect((await namesBy('users', '-lastSignIn'))[0]).toBe('admin');
    expect((await namesBy('users', '-displayName'))[0]).toBe('Zoe');
    expect((await namesBy('tokens', '-expires'))[0]).toBe('two');
    expect((await namesBy('limits', '-slots'))[0]).toBe('two');
    expect(await namesBy('limits', 'place')).toEqual(['one', 'three', 'two']);
    expect((await allPages('deliveries', '-bytes')).map(({ bytes }) => bytes)).toEqual([7, 5, 5]);
    expect((await namesBy('calendars', '-schedules'))[0]).toBe('two');
    expect((await allPages('backfills', 'total')).map(({ total }) => total)).toEqual([1, 2, 2]);
    expect((await allPages('approvals', 'deadline')).slice(0, 2).map(({ task }) => task)).toEqual(['b', 'b']);
  });

  it('tell the audit from either end', async () => {
    const page = (sort: string, cursor = '') => server.admin.get<Page<Row>>(`/audit?sort=${sort}&limit=3&action=createUser${cursor}`);
    const [first, last] = [await page('at'), await page('-at')];
    expect(first.items).toEqual(last.items.toReversed());
    expect(first.items.map(({ entityName }) => entityName)).toEqual(['Zoe', 'anna', 'berta']);
  });

  it.each([
    'users',
    'groups',
    'projects',
    'variables',
    'secrets',
    'calendars',
    'approvals',
    'backfills',
    'limits',
    'tokens',
    'join-tokens',
    'sessions',
    'audit',
    'deliveries',
  ])('refuse for %s an order that there is none of, by the name of the key', async (list) => {
    expect(await problemFrom(server.admin.get(`${place(list)}?sort=color`))).toMatchObject({ status: 400, fields: [{ path: 'sort' }] });
  });

  it('refuse the cursor of another order', async () => {
    const { nextCursor } = await server.admin.get<Page<Row>>('/users?limit=1&sort=name');
    expect(await problemFrom(server.admin.get(`/users?limit=1&sort=-name&cursor=${nextCursor}`))).toMatchObject({ code: 'cursor-invalid' });
  });
});

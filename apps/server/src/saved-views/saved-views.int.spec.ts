import type { SavedView, SavedViewList } from '@medley/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cast, type Player } from '../testing/cast.fixture.js';
import { problemFrom } from '../testing/problem.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

describe('saved views', () => {
  let server: TestServer;
  let one: Player;
  let other: Player;
  beforeAll(async () => {
    server = await startTestServer();
    const cast = new Cast(server);
    one = await cast.player();
    other = await cast.player();
  });
  afterAll(() => server.close());

  const view = { page: 'runs', name: 'Failed today', query: { state: 'failed', period: 'day' } };
  const namesOf = async ({ client }: Player, page = 'runs') =>
    (await client.get<SavedViewList>(`/saved-views?page=${page}`)).items.map(({ name }) => name);

  it('are kept, renamed and removed by the one whose they are, and seen by nobody else', async () => {
    const saved = await one.client.post<SavedView>('/saved-views', view);
    expect(saved).toMatchObject(view);
    expect([await namesOf(one), await namesOf(one, 'nodes'), await namesOf(other)]).toEqual([['Failed today'], [], []]);
    const renamed = { ...view, name: 'Failed' };
    expect(await problemFrom(other.client.put(`/saved-views/${saved.id}`, renamed))).toMatchObject({ status: 404 });
    expect(await problemFrom(other.client.delete(`/saved-views/${saved.id}`))).toMatchObject({ status: 404 });
    expect(await one.client.put<SavedView>(`/saved-views/${saved.id}`, renamed)).toMatchObject(renamed);
    await one.client.delete(`/saved-views/${saved.id}`);
    expect(await namesOf(one)).toEqual([]);
  });

  it('have names of their own on a page of a user', async () => {
    const first = await one.client.post<SavedView>('/saved-views', view);
    const second = await one.client.post<SavedView>('/saved-views', { ...view, name: 'Another' });
    expect(await problemFrom(one.client.post('/saved-views', view))).toMatchObject({ code: 'name-taken' });
    expect(await problemFrom(one.client.put(`/saved-views/${second.id}`, view))).toMatchObject({ code: 'name-taken' });
    await other.client.post('/saved-views', view);
    expect(await one.client.put<SavedView>(`/saved-views/${first.id}`, { ...view, query: {} })).toMatchObject({ query: {} });
  });
});

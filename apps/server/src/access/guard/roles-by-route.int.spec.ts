import { randomUUID } from 'node:crypto';
import type { ApplyAnswer, Backfill, Problem, RunTasks, RunView, ScheduleView } from '@medley/contracts';
import { type AccessColumn, accessColumns, permissionTable } from '@medley/core';
import { aWorkflow, type RestClient } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cast, type Player } from '../../testing/cast.fixture.js';
import { nameOf, type RegisteredRoute, registeredRoutes } from '../../testing/registered-routes.js';
import { TestAgent } from '../../testing/test-agent.js';
import { startTestServer, type TestServer } from '../../testing/test-server.js';
import type { AccessRule } from '../access-rule.js';

type RuledRoute = RegisteredRoute & { rule: AccessRule & { kind: 'permission' } };
type Outcome = 'allowed' | 'forbidden' | 'hidden';

const isRuled = (route: RegisteredRoute): route is RuledRoute => route.rule?.kind === 'permission';
/** What removes comes last, so that it takes nothing away from the others. */
const order = (route: RuledRoute) => (route.method === 'DELETE' ? 2 : route.path.endsWith('/cancel') ? 1 : 0);

describe('every route, called as every role', () => {
  let server: TestServer;
  let cast: Cast;
  let routes: RuledRoute[];
  let ids: Record<string, string>;
  const players = new Map<AccessColumn, Player>();
  let stranger: Player;

  beforeAll(async () => {
    server = await startTestServer();
    routes = registeredRoutes(server)
      .filter(isRuled)
      .toSorted((left, right) => order(left) - order(right));
    cast = new Cast(server);
    const projectId = await cast.project('mine');
    ids = await thingsOf(projectId);
    const other = await cast.project('other');
    for (const column of accessColumns) {
      const roles = column === 'signed-in' || column === 'platform-admin' ? {} : { [projectId]: column };
      players.set(column, await cast.player({ isAdmin: column === 'platform-admin', roles }));
    }
    stranger = await cast.player({ roles: { [other]: 'admin' } });
  });
  afterAll(() => server.close());

  /** One of each kind that belongs to a project, by what the rules call it. */
  async function thingsOf(projectId: string): Promise<Record<string, string>> {
    const file = aWorkflow({ a: { run: 'true' } }, { project: 'mine', schedules: { nightly: { cron: '0 3 * * *', zone: 'UTC' } } });
    const { workflowId } = await server.admin.post<ApplyAnswer>('/workflows/apply', file);
    const agent = await TestAgent.join(server.url, server.credentials.joinToken);
    const run = await server.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
    const [dispatch] = await agent.receive();
    const tasks = await server.admin.get<RunTasks>(`/runs/${run.id}/tasks`);
    const schedules = await server.admin.get<{ items: ScheduleView[] }>('/schedules');
    const scheduleId = schedules.items[0]!.id;
    const range = { from: '2026-01-01', to: '2026-01-01', expected: 1 };
    const backfill = await server.admin.post<Backfill>(`/schedules/${scheduleId}/backfills`, range);
    return {
      project: projectId,
      workflow: workflowId!,
      schedule: scheduleId,
      backfill: backfill.id,
      run: run.id,
      'task run': tasks.items[0]!.id,
      attempt: dispatch!.attemptId,
    };
  }

  /** Calls with ids of things that are there where the rule looks for one, and of nothing elsewhere. */
  async function call(
    { method, path, rule }: RuledRoute,
    client: RestClient,
    thingId?: string,
  ): Promise<{ status: number; body: Problem | null }> {
    const { project } = rule;
    const filled = path.replaceAll(/:(\w+)/g, (_, name) => {
      if (project.kind === 'thing' && name === project.parameter) return thingId ?? ids[project.thing]!;
      return name === 'version' ? '1' : randomUUID();
    });
    const needsBody = ['POST', 'PUT', 'PATCH'].includes(method);
    const init = needsBody ? { body: '{}', headers: { 'content-type': 'application/json' } } : {};
    const answer = await client.request(method, `/../..${filled}`, init);
    if (answer.headers.get('content-type')?.includes('json')) return { status: answer.status, body: (await answer.json()) as Problem };
    await answer.body?.cancel();
    return { status: answer.status, body: null };
  }

  /** What the table says. */
  function expected({ rule }: RuledRoute, column: AccessColumn): Outcome {
    const row = permissionTable[rule.permission];
    if (rule.project.kind === 'visible') return 'allowed';
    if (rule.project.kind === 'thing' && column === 'signed-in') return 'hidden';
    return row[column] ? 'allowed' : 'forbidden';
  }

  function outcomeOf({ rule }: RuledRoute, { status, body }: { status: number; body: Problem | null }): Outcome | string {
    if (status === 401 || status >= 500) return `${status} ${body?.code}: ${body?.detail}`;
    if (body?.code === 'permission-denied') return body.detail.includes(`the permission ${rule.permission}`) ? 'forbidden' : body.detail;
    const isGuard =
      rule.project.kind === 'thing' && body?.code === 'not-found' && body.detail === `There is no such ${rule.project.thing}.`;
    return isGuard ? 'hidden' : 'allowed';
  }

  it.each(accessColumns)('is allowed to %s exactly as the table says', async (column) => {
    const { client } = players.get(column)!;
    const wrong: string[] = [];
    for (const route of routes) {
      const outcome = outcomeOf(route, await call(route, client));
      if (outcome !== expected(route, column)) wrong.push(`${nameOf(route)}: ${outcome}, not ${expected(route, column)}`);
    }
    expect(routes.length).toBeGreaterThan(70);
    expect(wrong).toEqual([]);
  });

  it('tells the admin of another project of a thing that is there what it tells of one that is not', async () => {
    const differing: string[] = [];
    const ofThings = routes.filter(({ rule }) => rule.project.kind === 'thing');
    for (const route of ofThings) {
      const present = await call(route, stranger.client);
      const missing = await call(route, stranger.client, randomUUID());
      const bodies = [present, missing].map(({ status, body }) => JSON.stringify({ status, ...body, requestId: '' }));
      if (present.status !== 404 || bodies[0] !== bodies[1]) differing.push(`${nameOf(route)}: ${bodies.join(' and ')}`);
    }
    expect(ofThings.length).toBeGreaterThan(25);
    expect(differing).toEqual([]);
  });

  it('reads nothing but what its project holds with a token of one project, and changes nothing with a token to read', async () => {
    const admin = await cast.player({ isAdmin: true });
    const reader = await cast.tokenOf(admin.id, ['read']);
    const other = await cast.tokenOf(admin.id, ['admin'], await cast.project('third'));
    const changed: string[] = [];
    for (const route of routes) {
      const { rule } = route;
      const byReader = outcomeOf(route, await call(route, reader));
      if (byReader !== (permissionTable[rule.permission].scope === 'read' ? 'allowed' : 'forbidden'))
        changed.push(`${nameOf(route)} to read: ${byReader}`);
      if (rule.project.kind !== 'thing') continue;
      const byOther = outcomeOf(route, await call(route, other));
      if (byOther !== 'hidden') changed.push(`${nameOf(route)} of another project: ${byOther}`);
    }
    expect(changed).toEqual([]);
  });
});

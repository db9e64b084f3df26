import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REST_PREFIX, type RestRoute, restRoutes } from '@medley/contracts';
import { isProjectPermission, type Permission } from '@medley/core';
import { temporaryDirectory } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameOf, type RegisteredRoute, registeredRoutes } from '../../testing/registered-routes.js';
import { startTestServer, type TestServer } from '../../testing/test-server.js';

const OPEN = [
  'POST /api/v1/login',
  'GET /api/v1/sign-in/methods',
  'GET /api/v1/sign-in/oidc',
  'GET /api/v1/sign-in/oidc/callback',
  'GET /api/v1/sign-in/oidc/sign-out',
  'GET /api/v1/openapi.json',
  'GET /api/v1/workflow.schema.json',
  'GET /healthz',
  'GET /readyz',
  'POST /agent/v1/join',
  'POST /api/v1/hooks/:address',
  'GET /agent/medley-agent.mjs',
];
/** They send something along, and change nothing that is not the caller's own. */
const HARMLESS = [
  'POST /api/v1/logout',
  'POST /api/v1/workflows/validate',
  'POST /api/v1/schedules/preview',
  'POST /api/v1/schedules/:id/backfills/preview',
  'POST /api/v1/attempts/:id/placement/replay',
  'POST /api/v1/workflows/:id/dry-run',
  'POST /api/v1/workflows/dry-run',
];
/** Changes of many things at once: their rule leaves in the selection only what the caller may change. */
const OF_MANY = ['POST /api/v1/schedules/switch'];
/** What Fastify answers beside the handlers of controllers: files that anyone may read, since they hold nothing of an installation. */
const PUBLIC_FILES: Record<string, string> = {
  '/*': 'the built console, which asks for a sign-in itself',
  '/api/docs': 'the page to read the API with; it shows the open /api/v1/openapi.json',
  '/api/docs/': 'the same page',
  '/api/docs/index.html': 'the same page',
  '/api/docs/swagger-ui-init.js': 'the description as the page loads it',
  '/api/docs/docs/swagger-ui-init.js': 'the same, for a page opened with a slash at its end',
  '/api/docs/*': 'script and style of that page',
  '/api/docs/docs/*': 'the same, for a page opened with a slash at its end',
  '/api/docs/LICENSE': 'the licence of that page',
};
const SOME_ID = '01890000-0000-7000-8000-000000000000';

describe('routes', () => {
  let server: TestServer;
  let routes: RegisteredRoute[];
  /** Every method and address that Fastify was told of, whoever told it. */
  const served: { method: string; path: string }[] = [];
  const consoleDirectory = temporaryDirectory('console');
  beforeAll(async () => {
    writeFileSync(join(consoleDirectory.path, 'index.html'), '<title>Medley</title>');
    server = await startTestServer({ MEDLEY_CONSOLE_DIR: consoleDirectory.path }, ({ method, path }) => {
      for (const each of [method].flat()) served.push({ method: each, path });
    });
    routes = registeredRoutes(server);
  });
  afterAll(async () => {
    await server.close();
    consoleDirectory.remove();
  });

  it('are those that the contract lists, all of them, beside those for agents and operators', () => {
    const listed = Object.values(restRoutes as Record<string, RestRoute>).map(({ method, path }) => `${method} ${REST_PREFIX}${path}`);
    const found = routes.map(nameOf).filter((name) => name.includes(REST_PREFIX));
    expect(found.toSorted()).toEqual(listed.toSorted());
  });

  it('each have an access rule', () => {
    expect(routes.length).toBeGreaterThan(50);
    expect(routes.filter(({ rule }) => rule === undefined).map(nameOf)).toEqual([]);
  });

  it('each say with their permission how the project is found in which it has to hold', () => {
    const ruled = routes.flatMap((route) => (route.rule?.kind === 'permission' ? [{ ...route, rule: route.rule }] : []));
    const kindFor = (permission: Permission) =>
      isProjectPermission(permission) ? ['thing', 'document', 'visible'] : ['platform', 'visible'];
    const wrong = ruled.filter(({ rule }) => !kindFor(rule.permission).includes(rule.project.kind) && rule.permission !== 'project:write');
    const withoutParameter = ruled.filter(
      ({ path, rule }) => rule.project.kind === 'thing' && !path.includes(`:${rule.project.parameter}`),
    );
    expect([...wrong, ...withoutParameter].map(nameOf)).toEqual([]);
    const lists = ruled.filter(({ rule }) => rule.project.kind === 'visible');
    expect(lists.filter(({ method }) => method !== 'GET').map(nameOf)).toEqual(OF_MANY);
  });

  it('change nothing by a permission to read', () => {
    const changing = routes.filter(
      ({ method, rule }) => method !== 'GET' && rule?.kind === 'permission' && /:(read|check)$/.test(rule.permission),
    );
    expect(changing.map(nameOf).toSorted()).toEqual(HARMLESS.toSorted());
  });

  it('are all that the server answers at, beside public files, each of which has its reason', () => {
    // Fastify answers HEAD by the handler of GET, so that its rule holds for both.
    const ruled = new Set(
      routes.flatMap(({ method, path }) => (method === 'GET' ? [`GET ${path}`, `HEAD ${path}`] : [`${method} ${path}`])),
    );
    const others = served.filter((route) => !ruled.has(nameOf(route)));
    expect(served.length).toBeGreaterThan(routes.length);
    expect(others.filter(({ method }) => method !== 'GET' && method !== 'HEAD').map(nameOf)).toEqual([]);
    expect([...new Set(others.map(({ path }) => path))].toSorted()).toEqual(Object.keys(PUBLIC_FILES).toSorted());
  });

  it('are open to everyone only where that is meant', () => {
    expect(
      routes
        .filter(({ rule }) => rule?.kind === 'public')
        .map(nameOf)
        .toSorted(),
    ).toEqual(OPEN.toSorted());
  });

  it('refuse a caller without credentials, whatever is sent', async () => {
    const isOpen = new Set(routes.filter(({ rule }) => rule?.kind === 'public').map(({ path }) => path));
    const closed = served.filter(({ path }) => !isOpen.has(path) && !Object.hasOwn(PUBLIC_FILES, path));
    expect(closed.length).toBeGreaterThan(50);
    const answers = await Promise.all(
      closed.map(async ({ method, path }) => {
        const response = await fetch(`${server.url}${path.replaceAll(/:[a-z]+/gi, SOME_ID)}`, { method });
        return response.status === 401 ? null : `${method} ${path} answered ${response.status}`;
      }),
    );
    expect(answers.filter((answer) => answer !== null)).toEqual([]);
  });

  it('are described by an OpenAPI document whose references all lead somewhere', async () => {
    const response = await fetch(`${server.url}/api/v1/openapi.json`);
    const document = (await response.json()) as { openapi: string; components: { schemas: Record<string, unknown> }; paths: object };
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target!);
    const known = new Set(Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`));
    expect(document.openapi).toBe('3.1.0');
    expect(references.filter((target) => !known.has(target))).toEqual([]);
    expect(Object.keys(document.paths)).toContain('/api/v1/runs/{id}/tasks');
  });
});

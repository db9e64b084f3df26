import { type CreatedApiToken, type Problem, workflowJsonSchema } from '@medley/contracts';
import { withToken } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './testing/test-server.js';

const json = { 'content-type': 'application/json' };

describe('the HTTP server', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  const refusal = async (answer: Response): Promise<[number, string]> => {
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    const problem = (await answer.json()) as Problem;
    expect(problem.requestId).toBe(answer.headers.get('x-request-id'));
    return [answer.status, problem.code];
  };
  const post = (path: string, body: string, headers: Record<string, string> = json) =>
    server.admin.request('POST', path, { body, headers });

  it('refuses a body that is not JSON', async () => {
    expect(await refusal(await post('/projects', '{"name": '))).toEqual([400, 'body-invalid']);
  });

  it('refuses a content type that it does not read', async () => {
    expect(await refusal(await post('/projects', '<name/>', { 'content-type': 'application/xml' }))).toEqual([
      415,
      'media-type-unsupported',
    ]);
  });

  it('refuses what is too large for an address, and takes more where workflows go', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(300 * 1024) });
    expect(await refusal(await post('/projects', large))).toEqual([413, 'body-too-large']);
    expect(await refusal(await post('/workflows/apply', large))).toEqual([400, 'workflow-invalid']);
  });

  it('tells an address that does not exist', async () => {
    expect(await refusal(await server.admin.request('GET', '/nothing'))).toEqual([404, 'route-not-found']);
  });

  it('takes an empty body for an empty request where nothing is required', async () => {
    const answer = await server.admin.request('POST', '/join-tokens');
    expect(answer.status).toBe(201);
  });

  it('shows metrics by route pattern to a token that may read, and to nobody else', async () => {
    const { token } = await server.admin.post<CreatedApiToken>('/tokens', { name: 'scraper', scopes: ['read'] });
    await withToken(server.url, token).get('/runs');
    const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    const text = await answer.text();
    expect(text).toMatch(/medley_http_request_seconds_count\{method="GET",route="\/api\/v1\/runs",status="200"\} 1/);
    expect(text).toMatch(/^medley_runs_active 0$/m);
    expect((await fetch(`${server.url}/metrics`)).status).toBe(401);
  });

  it('has a page that documents the API', async () => {
    const page = await fetch(`${server.url}/api/docs`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html']);
    const script = await fetch(`${server.url}/api/docs/swagger-ui-init.js`);
    expect(await script.text()).toContain('/api/v1/workflows/apply');
  });

  it('publishes the schema of the workflow file to editors, without sign-in', async () => {
    const answer = await fetch(`${server.url}/api/v1/workflow.schema.json`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(await answer.json()).toEqual(workflowJsonSchema());
  });

  it('makes a project once and tells a taken name', async () => {
    const withKey = { ...json, 'idempotency-key': 'project-1' };
    const [first, second] = [
      await post('/projects', '{"name": "growth"}', withKey),
      await post('/projects', '{"name": "growth"}', withKey),
    ];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await second.json()).toEqual(await first.json());
    expect(await refusal(await post('/projects', '{"name": "growth"}'))).toEqual([409, 'name-taken']);
    expect(await refusal(await post('/projects', '{"name": "Not A Name"}'))).toEqual([400, 'validation-failed']);
  });
});

import type { ApplyAnswer } from '@medley/contracts';

/** An answer outside 2xx, with the problem+json body the server sent. */
export class RestFailure extends Error {
  constructor(
    readonly method: string,
    readonly path: string,
    readonly status: number,
    readonly body: unknown,
  ) {
    super(`${method} ${path} answered ${status}: ${JSON.stringify(body)}`);
  }
}

export interface RestClient {
  readonly url: string;
  get<T = unknown>(path: string): Promise<T>;
  post<T = unknown>(path: string, body?: unknown): Promise<T>;
  patch<T = unknown>(path: string, body?: unknown): Promise<T>;
  put<T = unknown>(path: string, body?: unknown): Promise<T>;
  delete<T = unknown>(path: string): Promise<T>;
  /** Applies a workflow file. */
  apply(yaml: string): Promise<ApplyAnswer>;
  /** The raw answer, for tests of status and headers. */
  request(method: string, path: string, init?: { body?: string; headers?: Record<string, string> }): Promise<Response>;
}

/** Signs in with name and password; the client then carries the session cookie. Paths are relative to /api/v1. */
export async function signIn(url: string, name: string, password: string): Promise<RestClient> {
  const response = await fetch(`${url}/api/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, password }),
  });
  const body = await readBody(response);
  if (!response.ok) throw new RestFailure('POST', '/login', response.status, body);
  const cookie = response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  return restClient(url, { cookie });
}

/** A client with an API token. */
export function withToken(url: string, token: string): RestClient {
  return restClient(url, { authorization: `Bearer ${token}` });
}

/** A client without any proof of who it is. */
export function anonymous(url: string): RestClient {
  return restClient(url, {});
}

function restClient(url: string, identity: Record<string, string>): RestClient {
  const request: RestClient['request'] = (method, path, init = {}) =>
    fetch(`${url}/api/v1${path}`, { method, body: init.body, headers: { ...identity, ...init.headers } });
  const send = async (method: string, path: string, body?: string, type = 'application/json') => {
    const headers: Record<string, string> = body === undefined ? {} : { 'content-type': type };
    const response = await request(method, path, { body, headers });
    const answer = await readBody(response);
    if (!response.ok) throw new RestFailure(method, path, response.status, answer);
    return answer;
  };
  const asJson = (body: unknown) => (body === undefined ? undefined : JSON.stringify(body));
  return {
    url,
    request,
    get: <T>(path: string) => send('GET', path) as Promise<T>,
    post: <T>(path: string, body?: unknown) => send('POST', path, asJson(body)) as Promise<T>,
    patch: <T>(path: string, body?: unknown) => send('PATCH', path, asJson(body)) as Promise<T>,
    put: <T>(path: string, body?: unknown) => send('PUT', path, asJson(body)) as Promise<T>,
    delete: <T>(path: string) => send('DELETE', path) as Promise<T>,
    apply: (yaml) => send('POST', '/workflows/apply', yaml, 'application/yaml') as Promise<ApplyAnswer>,
  };
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
}

import { StepFailed } from '../repository/run.mjs';

/** A small client of the REST API with an API token. Paths are relative to /api/v1. */
export function restClient(url, token) {
  const identity = { authorization: `Bearer ${token}` };
  return {
    get: (path) => call(url, 'GET', path, { headers: identity }),
    post: (path, body) => call(url, 'POST', path, asJson(body, identity)),
    put: (path, body) => call(url, 'PUT', path, asJson(body, identity)),
    delete: (path) => call(url, 'DELETE', path, { headers: identity }),
    isAccepted: async () => (await fetch(`${url}/api/v1/me`, { headers: identity })).status !== 401,
    apply: (yaml) => call(url, 'POST', '/workflows/apply', { body: yaml, headers: { ...identity, 'content-type': 'application/yaml' } }),
  };
}

/** Signs in and makes an API token for today. */
export async function createToken(url, name, password) {
  const response = await fetch(`${url}/api/v1/login`, { method: 'POST', ...asJson({ name, password }) });
  if (!response.ok) throw new StepFailed(`the administrator could not sign in (${response.status}); is the password right?`);
  const cookie = response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const request = { name: 'set-up', scopes: ['read', 'write', 'admin'], expiresInDays: 1 };
  const { token } = await call(url, 'POST', '/tokens', asJson(request, { cookie }));
  return token;
}

async function call(url, method, path, init) {
  const response = await fetch(`${url}/api/v1${path}`, { method, ...init });
  const text = await response.text();
  if (!response.ok) throw new StepFailed(`${method} ${path} answered ${response.status}: ${text}`);
  return text === '' ? null : JSON.parse(text);
}

function asJson(body, headers = {}) {
  return { body: JSON.stringify(body ?? {}), headers: { ...headers, 'content-type': 'application/json' } };
}

import { type RestRouteName, restPath, restRoutes } from '@medley/contracts';
import { type ApiProblem, problemOf, unreachable } from './api-problem.js';

type Routes = typeof restRoutes;
type OutputOf<Schema> = Schema extends { _zod: { output: infer Output } } ? Output : never;
type InputOf<Schema> = Schema extends { _zod: { input: infer Input } } ? Input : never;

/** What an operation answers, from the route table. */
export type ApiAnswer<Name extends RestRouteName> = Routes[Name] extends { answer: infer Schema } ? OutputOf<Schema> : undefined;
/** What an operation takes as its body. */
export type ApiBody<Name extends RestRouteName> = Routes[Name] extends { body: infer Schema } ? InputOf<Schema> : never;

export type QueryValue = string | number | boolean | readonly string[] | undefined;

export interface ApiCall<Name extends RestRouteName> {
  params?: Record<string, string | number>;
  query?: Record<string, QueryValue>;
  body?: ApiBody<Name>;
  /** Sends a text body as it is, with this content type. */
  bodyType?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Called with every 401 except those of asking who is signed in and of signing in. */
let whenSignedOut: () => void = () => {};

export function onSignedOut(listener: () => void): void {
  whenSignedOut = listener;
}

/** The session is known to have ended, by other means than a refused call. */
export function tellSignedOut(): void {
  whenSignedOut();
}

/** Calls one operation of the REST API. Rejects with `ApiProblem`. */
export async function callApi<Name extends RestRouteName>(name: Name, call: ApiCall<Name> = {}): Promise<ApiAnswer<Name>> {
  const route = restRoutes[name];
  const response = await send(`${restPath(route.path, call.params)}${queryText(call.query)}`, {
    method: route.method,
    signal: call.signal,
    ...bodyOf(call),
  });
  if (!response.ok) throw await refused(name, response);
  if (response.status === 204 || !('answer' in route)) return undefined as ApiAnswer<Name>;
  return (await response.json()) as ApiAnswer<Name>;
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { credentials: 'same-origin', ...init });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw unreachable(cause);
  }
}

async function refused(name: RestRouteName, response: Response): Promise<ApiProblem> {
  const problem = await problemOf(response);
  if (response.status === 401 && name !== 'login' && name !== 'me') whenSignedOut();
  return problem;
}

function bodyOf(call: ApiCall<RestRouteName>): Pick<RequestInit, 'body' | 'headers'> {
  const headers: Record<string, string> = { accept: 'application/json', ...call.headers };
  if (call.body === undefined) return { headers };
  const asText = call.bodyType !== undefined;
  headers['content-type'] = call.bodyType ?? 'application/json';
  return { headers, body: asText ? String(call.body) : JSON.stringify(call.body) };
}

/** `?a=1&b=x,y`; what is undefined or an empty list is left out. */
export function queryText(query: Record<string, QueryValue> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const text = Array.isArray(value) ? value.join(',') : value;
    if (text !== undefined && text !== '') search.set(name, String(text));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

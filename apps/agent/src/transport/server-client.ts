import type { Readable } from 'node:stream';
import { AGENT_API_PREFIX } from '@medley/contracts';
import { type Dispatcher, Pool } from 'undici';
import type { z } from 'zod';
import { ServerAnswerError, ServerUnreachableError } from './server-errors.js';

export interface RequestOptions<T extends z.ZodType> {
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
  answer: T;
  timeoutMs: number;
  /** Requests that wait on purpose; they are given up when another request fails at their server. */
  longPoll?: boolean;
  signal?: AbortSignal;
}

interface Server {
  pool: Pool;
  /** For files: what takes long keeps no heartbeat waiting. */
  files: Pool;
  basePath: string;
  url: string;
}

/** A request that waits for its answer. */
interface UnderWay {
  server: number;
  longPoll: boolean;
  abort: AbortController;
}

/**
 * Speaks the agent API to one of several equal servers over kept-alive connections. A server that does not answer in time or answers that
 * it cannot is left for the next one; whoever calls decides whether to ask again.
 */
export class ServerClient {
  private readonly servers: Server[];
  private current = 0;
  private credential: string | null = null;
  private readonly underWay = new Set<UnderWay>();

  constructor(urls: readonly string[]) {
    this.servers = urls.map((url) => {
      const parsed = new URL(url);
      const pool = new Pool(parsed.origin, { pipelining: 1, connections: 16, connect: { timeout: 5000 }, keepAliveTimeout: 30_000 });
      const files = new Pool(parsed.origin, {
        pipelining: 1,
        connections: 8,
        connect: { timeout: 5000 },
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      return { pool, files, basePath: parsed.pathname.replace(/\/$/, '') + AGENT_API_PREFIX, url };
    });
  }

  useCredential(credential: string | null): void {
    this.credential = credential;
  }

  /** Sends one request. Throws ServerUnreachableError (try again elsewhere) or ServerAnswerError (the server refused). */
  async request<T extends z.ZodType>(options: RequestOptions<T>): Promise<z.infer<T>> {
    const index = this.current;
    const server = this.servers[index]!;
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(new Error(`no answer within ${options.timeoutMs} ms`)), options.timeoutMs);
    const onOuterAbort = () => abort.abort(options.signal?.reason);
    options.signal?.addEventListener('abort', onOuterAbort, { once: true });
    const underWay: UnderWay = { server: index, longPoll: options.longPoll ?? false, abort };
    this.underWay.add(underWay);
    try {
      return await this.exchange(server, options, abort.signal);
    } catch (error) {
      if (error instanceof ServerAnswerError || options.signal?.aborted) {
        throw error;
      }
      const isDead = !(error instanceof ServerUnreachableError);
      this.leave(index, isDead);
      throw isDead ? new ServerUnreachableError(server.url, error) : error;
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', onOuterAbort);
      this.underWay.delete(underWay);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.flatMap((server) => [server.pool.destroy(), server.files.destroy()]));
  }

  /**
   * Sends or asks for a file. `signal` is all that bounds its time. The answer's body has to be read or destroyed. Throws as `request` does.
   */
  async transfer(method: 'GET' | 'POST', path: string, body: Readable | null, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const index = this.current;
    const { files, basePath, url } = this.servers[index]!;
    const headers: Record<string, string> = { ...(body === null ? {} : { 'content-type': 'application/octet-stream' }) };
    if (this.credential !== null) headers.authorization = `Bearer ${this.credential}`;
    try {
      const answer = await files.request({ method, path: `${basePath}/${path}`, headers, body, signal });
      if (answer.statusCode < 300) return answer;
      const text = await answer.body.text();
      const refusal = ServerAnswerError.fromBody(answer.statusCode, text);
      // A server of an earlier version does not know the address; another one does.
      if (!isTemporary(answer.statusCode) && refusal.code !== 'route-not-found') throw refusal;
      throw new ServerUnreachableError(url, new Error(`status ${answer.statusCode}: ${text.slice(0, 300)}`));
    } catch (error) {
      if (error instanceof ServerAnswerError) throw error;
      this.leave(index, false);
      throw error instanceof ServerUnreachableError ? error : new ServerUnreachableError(url, error);
    }
  }

  private async exchange<T extends z.ZodType>(server: Server, options: RequestOptions<T>, signal: AbortSignal): Promise<z.infer<T>> {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (this.credential !== null) {
      headers.authorization = `Bearer ${this.credential}`;
    }
    if (options.body !== undefined) {
      headers['content-type'] = 'application/json';
    }
    const answer = await server.pool.request({
      method: options.method,
      path: `${server.basePath}/${options.path}`,
      headers,
      body: options.body === undefined ? null : JSON.stringify(options.body),
      signal,
      headersTimeout: options.timeoutMs,
      bodyTimeout: options.timeoutMs,
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 200 && answer.statusCode < 300) {
      return options.answer.parse(JSON.parse(text));
    }
    if (isTemporary(answer.statusCode)) {
      throw new ServerUnreachableError(server.url, new Error(`status ${answer.statusCode}: ${text.slice(0, 300)}`));
    }
    throw ServerAnswerError.fromBody(answer.statusCode, text);
  }

  /**
   * Moves on to the next server, once per failure of the current one. What hangs on a server that does not answer is given up: its senders
   * repeat it at the next server at once, and every request may be repeated. Without another server only the long polls are.
   */
  private leave(index: number, isDead: boolean): void {
    if (this.current !== index) {
      return;
    }
    this.current = (index + 1) % this.servers.length;
    const givesUpAll = isDead && this.servers.length > 1;
    for (const { server, longPoll, abort } of this.underWay) {
      if (server === index && (longPoll || givesUpAll)) abort.abort(new Error('the server stopped answering'));
    }
  }
}

/** The server cannot at the moment: another one may, or this one later. */
function isTemporary(status: number): boolean {
  return status >= 500 || status === 408 || status === 429;
}

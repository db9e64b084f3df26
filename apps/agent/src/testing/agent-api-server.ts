import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  AGENT_API_PREFIX,
  type AttemptRef,
  type AttemptWork,
  type Claim,
  claimsRequestSchema,
  type Dispatch,
  type FileLook,
  type FileLookAnswer,
  fetchFileQuerySchema,
  fileLooksRequestSchema,
  heartbeatRequestSchema,
  joinRequestSchema,
  keepFileQuerySchema,
  type NodeCapacity,
  type QueueAccess,
  type Report,
  type ReportAck,
  reportsRequestSchema,
  type SessionRequest,
  type StopOrder,
  sessionRequestSchema,
} from '@medley/contracts';
import type { z } from 'zod';

export interface AttemptAsSeen {
  reports: Report[];
  claims: Claim[];
  grants: number;
}

const CREDENTIAL = 'credential-of-the-test-node';
const REPEAT_MS = 500;
const NODE_ID = '0190a000-0000-7000-8000-000000000001';

/**
 * The server's side of the agent protocol, kept to the letter: it checks every request against the contract, grants a claim once per claim
 * id, applies reports in order and once, and answers with the highest contiguous sequence. Its switches make it fail as servers do.
 */
export class AgentApiServer {
  readonly sessions: SessionRequest[] = [];
  readonly heartbeats: z.infer<typeof heartbeatRequestSchema>[] = [];
  /** In the answer to every heartbeat until they are answered. */
  looks: FileLook[] = [];
  readonly lookAnswers: FileLookAnswer[] = [];
  readonly faults: string[] = [];
  joins = 0;
  leaseSeconds = 60;
  heartbeatSeconds = 0.2;
  declaredSpeed: number | null = null;
  capacity: NodeCapacity | undefined;
  queue: QueueAccess | null = null;
  protocol = 1;
  /** Every connection is cut without an answer. */
  away = false;
  /** Claims are decided, but the answer never arrives. */
  loseClaimAnswers = 0;
  renewNext = false;
  /** Claims of these find no room. */
  readonly withoutRoom = new Set<string>();
  /** By attempt and path. */
  readonly kept = new Map<string, string>();
  /** By id. */
  readonly offered = new Map<string, Buffer | string>();
  /** So many transfers are answered that the store is away. */
  fileRefusals = 0;
  readonly refused = new Map<string, string>();
  private readonly attempts = new Map<string, AttemptAsSeen>();
  private readonly works = new Map<string, AttemptWork>();
  private readonly claimed = new Map<string, string>();
  /** Handed out until claimed: an answer may be lost. */
  private dispatches: { dispatch: Dispatch; handedOutAtMs: number }[] = [];
  /** In every answer until the attempt is no longer live; by the long poll once. */
  private stops: { order: StopOrder; pulled: boolean }[] = [];
  private readonly pollers = new Set<() => void>();
  private server: Server;
  private port = 0;

  constructor() {
    this.server = createServer((request, response) => void this.answer(request, response));
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const wake of this.pollers) {
      wake();
    }
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What the server knows of an attempt. */
  seen(attemptId: string): AttemptAsSeen {
    let seen = this.attempts.get(attemptId);
    if (seen === undefined) {
      seen = { reports: [], claims: [], grants: 0 };
      this.attempts.set(attemptId, seen);
    }
    return seen;
  }

  finished(attemptId: string): Extract<Report['body'], { type: 'finished' }> | null {
    const last = this.seen(attemptId).reports.at(-1)?.body;
    return last?.type === 'finished' ? last : null;
  }

  /** Bytes of a stream as received; a hole or an overlap is a fault. */
  output(attemptId: string, stream: 'stdout' | 'stderr' | 'system'): Buffer {
    const chunks: Buffer[] = [];
    let length = 0;
    for (const { body } of this.seen(attemptId).reports) {
      if (body.type === 'log' && body.stream === stream) {
        const bytes = Buffer.from(body.data, 'base64');
        if (body.offset !== length && bytes.length > 0) {
          this.faults.push(`${stream} of ${attemptId} continues at ${body.offset} after ${length} bytes`);
        }
        length += bytes.length;
        chunks.push(bytes);
      }
    }
    return Buffer.concat(chunks);
  }

  /** Makes an attempt claimable without telling the agent. */
  offer(dispatch: Dispatch, work: AttemptWork): void {
    this.works.set(dispatch.attemptId, work);
  }

  /** Makes an attempt claimable and hands it out by the long poll. */
  dispatch(dispatch: Dispatch, work: AttemptWork): void {
    this.offer(dispatch, work);
    this.dispatches.push({ dispatch, handedOutAtMs: 0 });
    this.wake();
  }

  stop(order: StopOrder): void {
    this.stops.push({ order, pulled: false });
    this.wake();
  }

  get lastLive(): AttemptRef[] {
    return this.heartbeats.at(-1)?.live ?? this.sessions.at(-1)?.live ?? [];
  }

  private wake(): void {
    for (const wake of this.pollers) {
      wake();
    }
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk as Buffer);
    }
    if (this.away) {
      request.socket.destroy();
      return;
    }
    const url = new URL(request.url ?? '/', this.url);
    const path = url.pathname.slice(AGENT_API_PREFIX.length + 1);
    if (path === 'files' || path.startsWith('files/')) {
      this.moveFile(path, url, Buffer.concat(chunks), response);
      return;
    }
    const text = Buffer.concat(chunks).toString('utf8');
    try {
      if (path !== 'join' && request.headers.authorization !== `Bearer ${CREDENTIAL}`) {
        return send(response, 401, { code: 'agent-credential-invalid', detail: 'unknown credential' });
      }
      const body = await this.handle(path, text === '' ? undefined : JSON.parse(text), url);
      return body === null ? void request.socket.destroy() : send(response, 200, body);
    } catch (error) {
      this.faults.push(`${path}: ${String(error)}`);
      send(response, 400, { code: 'validation-failed', detail: String(error) });
    }
  }

  /** Takes files that are what they say, and gives those of `offered`. */
  private moveFile(path: string, url: URL, body: Buffer, response: ServerResponse): void {
    if (this.fileRefusals > 0) {
      this.fileRefusals -= 1;
      send(response, 503, { code: 'blob-store-unavailable', detail: 'the store is away' });
      return;
    }
    const given = Object.fromEntries(url.searchParams);
    if (path !== 'files') {
      fetchFileQuerySchema.parse(given);
      const bytes = this.offered.get(path.slice('files/'.length));
      if (bytes === undefined) send(response, 404, { code: 'not-found', detail: 'there is no such file' });
      else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes);
      return;
    }
    const query = keepFileQuerySchema.parse(given);
    const sha256 = createHash('sha256').update(body).digest('hex');
    if (query.bytes !== body.length || query.sha256 !== sha256) this.faults.push(`${query.path} is not what it says`);
    if (this.finished(query.attemptId)) this.faults.push(`${query.path} came after the end of its attempt`);
    this.kept.set(`${query.attemptId} ${query.path}`, body.toString('utf8'));
    send(response, 200, { id: NODE_ID });
  }

  private async handle(path: string, body: unknown, url: URL): Promise<unknown> {
    switch (path) {
      case 'join':
        this.joins += 1;
        return { nodeId: NODE_ID, name: joinRequestSchema.parse(body).name, pool: 'default', credential: CREDENTIAL };
      case 'session':
        this.sessions.push(sessionRequestSchema.parse(body));
        this.dropObeyedStops();
        return {
          ...this.terms(),
          nodeId: NODE_ID,
          protocol: this.protocol,
          declaredSpeed: this.declaredSpeed,
          capacity: this.capacity,
          queue: this.queue,
          stops: this.stops.map((stop) => stop.order),
        };
      case 'heartbeat': {
        this.heartbeats.push(heartbeatRequestSchema.parse(body));
        const session = this.renewNext ? 'renew' : 'ok';
        this.renewNext = false;
        this.dropObeyedStops();
        return { ...this.terms(), session, stops: this.stops.map((stop) => stop.order), looks: this.looks };
      }
      case 'looks': {
        const { answers } = fileLooksRequestSchema.parse(body);
        this.lookAnswers.push(...answers);
        this.looks = this.looks.filter(({ watchId, look }) => !answers.some((each) => each.watchId === watchId && each.look === look));
        return {};
      }
      case 'work':
        return this.work(Number(url.searchParams.get('waitSeconds')));
      case 'claims':
        return this.decideClaims(claimsRequestSchema.parse(body).claims);
      case 'reports':
        return { acks: this.applyReports(reportsRequestSchema.parse(body).reports), stops: [] };
      default:
        throw new Error(`no such path: ${path}`);
    }
  }

  private terms(): { at: string; leaseSeconds: number; heartbeatSeconds: number } {
    return { at: new Date().toISOString(), leaseSeconds: this.leaseSeconds, heartbeatSeconds: this.heartbeatSeconds };
  }

  /** Orders for attempts the agent does not name any more are done with; one that is not claimed yet may still be named. */
  private dropObeyedStops(): void {
    const live = new Set(this.lastLive.map((ref) => ref.attemptId));
    this.stops = this.stops.filter(({ order }) => live.has(order.attemptId));
  }

  private takeWork(): { dispatches: Dispatch[]; stops: StopOrder[] } {
    const now = Date.now();
    const due = this.dispatches.filter((entry) => now - entry.handedOutAtMs > REPEAT_MS);
    const orders = this.stops.filter((stop) => !stop.pulled);
    for (const entry of due) {
      entry.handedOutAtMs = now;
    }
    for (const stop of orders) {
      stop.pulled = true;
    }
    return { dispatches: due.map((entry) => entry.dispatch), stops: orders.map((stop) => stop.order) };
  }

  private async work(waitSeconds: number): Promise<unknown> {
    const until = Date.now() + waitSeconds * 1000;
    let found = this.takeWork();
    while (found.dispatches.length + found.stops.length === 0 && Date.now() < until) {
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          this.pollers.delete(done);
          resolve();
        };
        const timer = setTimeout(done, REPEAT_MS);
        this.pollers.add(done);
      });
      if (this.away) {
        return null;
      }
      found = this.takeWork();
    }
    return found;
  }

  private decideClaims(claims: Claim[]): unknown {
    const results = claims.map((claim) => {
      this.seen(claim.attemptId).claims.push(claim);
      this.dispatches = this.dispatches.filter(({ dispatch }) => dispatch.attemptId !== claim.attemptId);
      if (this.withoutRoom.has(claim.attemptId)) {
        return { attemptId: claim.attemptId, granted: false, reason: 'its node has no room for it yet', noRoom: true };
      }
      const work = this.works.get(claim.attemptId);
      const holder = this.claimed.get(claim.attemptId);
      if (work === undefined || (holder !== undefined && holder !== claim.claimId)) {
        return { attemptId: claim.attemptId, granted: false, reason: 'stale fence' };
      }
      if (holder === undefined) {
        this.seen(claim.attemptId).grants += 1;
        this.claimed.set(claim.attemptId, claim.claimId);
      }
      return { attemptId: claim.attemptId, granted: true, work };
    });
    if (this.loseClaimAnswers > 0) {
      this.loseClaimAnswers -= 1;
      return null;
    }
    return { results };
  }

  private applyReports(reports: Report[]): ReportAck[] {
    const refs = new Map<string, AttemptRef>();
    for (const report of reports) {
      refs.set(report.attemptId, { attemptId: report.attemptId, fence: report.fence });
      const { reports: applied } = this.seen(report.attemptId);
      if (!this.refused.has(report.attemptId) && report.sequence === applied.length + 1) {
        applied.push(report);
      }
    }
    return [...refs.values()].map((ref) => ({
      ...ref,
      sequence: this.seen(ref.attemptId).reports.length,
      refused: this.refused.get(ref.attemptId) ?? null,
    }));
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

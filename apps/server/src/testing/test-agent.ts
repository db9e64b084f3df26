import { createHash, randomUUID } from 'node:crypto';
import type {
  AttemptOutcome,
  ClaimsAnswer,
  Dispatch,
  FileLookAnswer,
  HeartbeatAnswer,
  JoinAnswer,
  NodeFacts,
  ReportBody,
  ReportsAnswer,
  StopOrder,
  WorkAnswer,
} from '@medley/contracts';
import { waitFor } from '@medley/testing';

const facts: NodeFacts = {
  agentVersion: '0.1.0',
  protocol: { min: 1, max: 1 },
  os: 'linux',
  arch: 'x64',
  hostname: 'test',
  runtimes: ['shell', 'python3', 'node'],
  capacity: { cpuMillis: 8000, memoryMib: 16_384, diskMib: 100_000, gpuCount: 0 },
  cpuLimit: { percent: 800, means: 'quota' },
};

/** Speaks the agent protocol by hand, so that a test decides when an attempt is claimed and how it ends. */
export class TestAgent {
  private readonly sequences = new Map<string, number>();

  private constructor(
    private readonly url: string,
    private readonly credential: string,
    readonly nodeId: string,
    readonly name: string,
    private readonly bootId: string,
  ) {}

  static async join(
    url: string,
    joinToken: string,
    name = 'alpha',
    cpuMillis = facts.capacity.cpuMillis,
    protocol = 1,
  ): Promise<TestAgent> {
    const body = {
      token: joinToken,
      name,
      facts: { ...facts, protocol: { min: 1, max: protocol }, capacity: { ...facts.capacity, cpuMillis } },
    };
    const joined = (await call(url, '/agent/v1/join', null, body)) as JoinAnswer;
    const agent = new TestAgent(url, joined.credential, joined.nodeId, joined.name, randomUUID());
    const performance = { singleCore: 1, allCores: 1, memoryMibPerSecond: 1000, diskMibPerSecond: 100 };
    await agent.post('session', { bootId: agent.bootId, facts: body.facts, performance, live: [] });
    return agent;
  }

  /** A heartbeat that holds nothing and tells this load. */
  heartbeat(cpuPercent: number): Promise<HeartbeatAnswer> {
    const load = { cpuPercent, memoryUsedMib: 1024, memoryTotalMib: 16_384, diskFreeMib: 100_000, loadAverage: 1 };
    return this.post('heartbeat', { bootId: this.bootId, load, live: [], performance: null }) as Promise<HeartbeatAnswer>;
  }

  tellLooks(answers: readonly FileLookAnswer[]): Promise<unknown> {
    return this.post('looks', { answers });
  }

  /** Waits until so many dispatches are there, without claiming them. */
  async receive(count = 1): Promise<Dispatch[]> {
    const dispatches = new Map<string, Dispatch>();
    await waitFor(async () => {
      for (const dispatch of (await this.work()).dispatches) dispatches.set(dispatch.attemptId, dispatch);
      return dispatches.size >= count;
    });
    return [...dispatches.values()];
  }

  /** Waits for the order to stop an attempt. */
  receiveStop(attemptId: string): Promise<StopOrder> {
    return waitFor(async () => (await this.work()).stops.find((stop) => stop.attemptId === attemptId));
  }

  async claim(dispatch: Dispatch): Promise<ClaimsAnswer['results'][number]> {
    const { taskRunId, attemptId, fence } = dispatch;
    const answer = (await this.post('claims', {
      claims: [{ taskRunId, attemptId, fence, claimId: randomUUID(), carrier: 'pull' }],
    })) as ClaimsAnswer;
    return answer.results[0]!;
  }

  log(dispatch: Dispatch, stream: 'stdout' | 'stderr', offset: number, data: Buffer): Promise<ReportsAnswer> {
    return this.report(dispatch, { type: 'log', stream, offset, data: data.toString('base64') });
  }

  finish(dispatch: Dispatch, outcome: AttemptOutcome, exitCode: number | null = outcome === 'succeeded' ? 0 : 1): Promise<ReportsAnswer> {
    return this.report(dispatch, { type: 'finished', outcome, exitCode, signal: null, detail: null, runSeconds: 0.1 });
  }

  /** Sends a working file; `said` replaces what is said of it. */
  async keep({ attemptId, fence }: Dispatch, path: string, text: string, said: Record<string, string> = {}): Promise<Response> {
    const sha256 = createHash('sha256').update(text).digest('hex');
    const query = new URLSearchParams({ attemptId, fence: String(fence), path, bytes: String(Buffer.byteLength(text)), sha256, ...said });
    const headers = { 'content-type': 'application/octet-stream', authorization: `Bearer ${this.credential}` };
    return fetch(`${this.url}/agent/v1/files?${query}`, { method: 'POST', headers, body: text });
  }

  /** Asks for a working file on behalf of an attempt. */
  async fetchFile({ attemptId, fence }: Dispatch, id: string): Promise<Response> {
    const query = new URLSearchParams({ attemptId, fence: String(fence) });
    return fetch(`${this.url}/agent/v1/files/${id}?${query}`, { headers: { authorization: `Bearer ${this.credential}` } });
  }

  /** Receives, claims and ends so many task runs, as `outcome` says. */
  async run(count: number, outcome: AttemptOutcome = 'succeeded'): Promise<void> {
    const done = new Set<string>();
    while (done.size < count) {
      for (const dispatch of await this.receive(1)) {
        if (done.size === count) break; // more may have come at once than are meant
        if (done.has(dispatch.attemptId) || !(await this.claim(dispatch)).granted) continue;
        await this.finish(dispatch, outcome);
        done.add(dispatch.attemptId);
      }
    }
  }

  /** What is outstanding for this agent, after a wait of at most a second. */
  work(): Promise<WorkAnswer> {
    return call(this.url, '/agent/v1/work?waitSeconds=1', this.credential) as Promise<WorkAnswer>;
  }

  private async report({ attemptId, fence }: Dispatch, body: ReportBody): Promise<ReportsAnswer> {
    const sequence = (this.sequences.get(attemptId) ?? 0) + 1;
    this.sequences.set(attemptId, sequence);
    return (await this.post('reports', { reports: [{ attemptId, fence, sequence, body }] })) as ReportsAnswer;
  }

  private post(path: string, body: unknown): Promise<unknown> {
    return call(this.url, `/agent/v1/${path}`, this.credential, body);
  }
}

async function call(url: string, path: string, credential: string | null, body?: unknown): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(credential ? { authorization: `Bearer ${credential}` } : {}),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import {
  AGENT_API_PREFIX,
  AGENT_PROTOCOL,
  type Claim,
  type ClaimsAnswer,
  type CreatedJoinToken,
  type Dispatch,
  type JoinAnswer,
  type NodeFacts,
  type Report,
  type ReportsAnswer,
  type WorkAnswer,
} from '@medley/contracts';
import { type Stack, waitFor } from '@medley/testing';

export interface Answer<Body = unknown> {
  status: number;
  body: Body;
}

const facts: NodeFacts = {
  agentVersion: '0.0.0-test',
  protocol: AGENT_PROTOCOL,
  os: 'linux',
  arch: 'x64',
  hostname: 'hand-made',
  runtimes: ['shell'],
  capacity: { cpuMillis: 4000, memoryMib: 4096, diskMib: 4096, gpuCount: 0 },
};

/** An agent whose every message a test writes by hand: for what a real one never says. It pulls, and starts nothing. */
export class HandMadeAgent {
  readonly bootId = randomUUID();

  private constructor(
    private readonly url: string,
    readonly node: JoinAnswer,
  ) {}

  static async join(stack: Stack, name: string, labels: Record<string, string> = {}): Promise<HandMadeAgent> {
    const { token } = await stack.admin.post<CreatedJoinToken>('/join-tokens', { labels, declaredSpeed: 1 });
    const joined = await sendTo<JoinAnswer>(stack.url, 'join', { token, name, facts });
    if (joined.status !== 200) throw new Error(`The join was answered ${joined.status}: ${JSON.stringify(joined.body)}`);
    const agent = new HandMadeAgent(stack.url, joined.body);
    await agent.post('session', { bootId: agent.bootId, facts, performance: null, live: [] });
    return agent;
  }

  post<Body = unknown>(path: string, body: unknown): Promise<Answer<Body>> {
    return sendTo<Body>(this.url, path, body, this.node.credential);
  }

  /** A body that need not be JSON. */
  postText(path: string, text: string): Promise<Answer> {
    return sendText(this.url, path, text, this.node.credential);
  }

  /** Sends only the head of a request with a body of so many bytes. */
  async announce(path: string, bytes: number): Promise<Answer> {
    const { hostname, port } = new URL(this.url);
    const socket = connect(Number(port), hostname);
    const head = [
      `POST ${AGENT_API_PREFIX}/${path} HTTP/1.1`,
      `host: ${hostname}:${port}`,
      'content-type: application/json',
      `content-length: ${bytes}`,
      `authorization: ${authorization(this.node.credential).authorization}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    let received = '';
    for await (const part of socket) received += part;
    const [answerHead = '', body = 'null'] = received.split('\r\n\r\n');
    return { status: Number(answerHead.split(' ')[1]), body: JSON.parse(body) };
  }

  heartbeat(live: { attemptId: string; fence: number }[] = []): Promise<Answer> {
    const load = { cpuPercent: 1, memoryUsedMib: 1, memoryTotalMib: 4096, diskFreeMib: 4096, loadAverage: 0 };
    return this.post('heartbeat', { bootId: this.bootId, load, live, performance: null });
  }

  /** Pulls until it is offered this attempt. */
  pull(attemptId: string): Promise<Dispatch> {
    return waitFor(
      async () => {
        const response = await fetch(`${this.url}${AGENT_API_PREFIX}/work?waitSeconds=0`, { headers: authorization(this.node.credential) });
        const { dispatches } = (await response.json()) as WorkAnswer;
        return dispatches.find((dispatch) => dispatch.attemptId === attemptId);
      },
      { describe: `the dispatch of ${attemptId} at ${this.node.name}` },
    );
  }

  async claim(claim: Claim): Promise<ClaimsAnswer['results'][number]> {
    const { status, body } = await this.post<ClaimsAnswer>('claims', { claims: [claim] });
    if (status !== 200) throw new Error(`The claim was answered ${status}: ${JSON.stringify(body)}`);
    return body.results[0]!;
  }

  async report(reports: Report[]): Promise<ReportsAnswer['acks']> {
    const { status, body } = await this.post<ReportsAnswer>('reports', { reports });
    if (status !== 200) throw new Error(`The report was answered ${status}: ${JSON.stringify(body)}`);
    return body.acks;
  }
}

/** One POST to the agent API, with a credential or without. */
export function sendTo<Body = unknown>(url: string, path: string, body: unknown, credential?: string): Promise<Answer<Body>> {
  return sendText(url, path, JSON.stringify(body), credential) as Promise<Answer<Body>>;
}

async function sendText(url: string, path: string, text: string, credential?: string): Promise<Answer> {
  const response = await fetch(`${url}${AGENT_API_PREFIX}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(credential === undefined ? {} : authorization(credential)) },
    body: text,
  });
  const answer = await response.text();
  return { status: response.status, body: answer === '' ? null : JSON.parse(answer) };
}

function authorization(credential: string): Record<string, string> {
  return { authorization: `Bearer ${credential}` };
}

/** The report that an attempt ended well. */
export function succeededReport(ref: { attemptId: string; fence: number }, sequence = 1): Report {
  const body = { type: 'finished', outcome: 'succeeded', exitCode: 0, signal: null, detail: null, runSeconds: 1 } as const;
  return { attemptId: ref.attemptId, fence: ref.fence, sequence, body };
}

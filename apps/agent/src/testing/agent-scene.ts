import type { AttemptWork, Dispatch } from '@medley/contracts';
import { AgentApiServer } from './agent-api-server.js';
import { AgentProcess } from './agent-process.js';
import { buildDispatch, buildWork } from './attempt-builders.js';
import { waitUntil } from './wait-until.js';

/** One server and one real agent process against it. */
export class AgentScene {
  readonly server = new AgentApiServer();
  agent!: AgentProcess;

  async open(environment: Record<string, string> = {}, otherServers: string[] = [], user: number | null = null): Promise<void> {
    await this.server.listen();
    const urls = [this.server.url, ...otherServers].join(',');
    this.agent = new AgentProcess({ MEDLEY_SERVER_URL: urls, MEDLEY_JOIN_TOKEN: 'join-token-of-the-test', ...environment }, user);
    this.agent.start();
    await waitUntil('first session', () => this.server.sessions.length > 0);
  }

  /** Ends everything; throws when the agent broke the protocol. */
  async close(): Promise<void> {
    await this.agent.dispose();
    await this.server.close();
    if (this.server.faults.length > 0) {
      throw new Error(`the agent broke the protocol: ${this.server.faults.join('\n')}`);
    }
  }

  run(work: Partial<AttemptWork>): Dispatch {
    const dispatch = buildDispatch();
    this.server.dispatch(dispatch, buildWork(work));
    return dispatch;
  }

  async finished(dispatch: Dispatch, timeoutMs?: number) {
    return waitUntil(`finished report of ${dispatch.attemptId}`, () => this.server.finished(dispatch.attemptId), timeoutMs);
  }

  async printed(dispatch: Dispatch, text: string): Promise<void> {
    await waitUntil(`output ${text}`, () => this.stdout(dispatch).includes(text));
  }

  stdout(dispatch: Dispatch): string {
    return this.server.output(dispatch.attemptId, 'stdout').toString('utf8');
  }

  stderr(dispatch: Dispatch): string {
    return this.server.output(dispatch.attemptId, 'stderr').toString('utf8');
  }
}

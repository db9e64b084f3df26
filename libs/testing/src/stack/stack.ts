import { join } from 'node:path';
import type { CreatedJoinToken, CreateJoinToken } from '@medley/contracts';
import type { Service } from '@medley/scripts/services';
import { type AgentLaunch, type AgentProgram, startAgent } from '../apps/agent.js';
import { type RestClient, signIn } from '../apps/rest-client.js';
import { type Bootstrap, type ServerProgram, startServer } from '../apps/server.js';
import { endProcessesByMarker } from '../processes/find-processes.js';
import { startPostgres, startRedis } from '../services/launch.js';
import { temporaryDirectory } from '../services/temporary-directory.js';

export interface StackLaunch {
  /** Default 1. */
  servers?: number;
  /** False for the Redis-less mode; default true. */
  redis?: boolean;
  /** Postgres with its default durability; default false. */
  durable?: boolean;
  serverEnv?: NodeJS.ProcessEnv;
}

/** Pool, labels, declared speed and capacity caps travel in the join token. */
export interface AgentRequest extends Partial<CreateJoinToken> {
  name: string;
  env?: NodeJS.ProcessEnv;
  /** Where it finds the server, when not at the first one (a proxy that a test can cut). */
  serverUrl?: string;
}

/** Postgres, Redis, servers and agents as separate processes, under one directory whose path marks everything that belongs to them. */
export class Stack {
  readonly agents: AgentProgram[] = [];
  readonly servers: ServerProgram[] = [];
  readonly #directory = temporaryDirectory('stack');
  readonly #serverEnv: NodeJS.ProcessEnv;
  #admin: RestClient | undefined;
  #bootstrap: Bootstrap | undefined;

  private constructor(
    readonly postgres: Service,
    readonly redis: Service | null,
    serverEnv: NodeJS.ProcessEnv,
  ) {
    this.#serverEnv = serverEnv;
  }

  static async start(launch: StackLaunch = {}): Promise<Stack> {
    const [postgres, redis] = await Promise.all([
      startPostgres({ durable: launch.durable ?? false }),
      launch.redis === false ? null : startRedis(),
    ]);
    const stack = new Stack(postgres, redis, launch.serverEnv ?? {});
    try {
      await stack.#firstServer();
      for (let count = 1; count < (launch.servers ?? 1); count += 1) await stack.addServer();
      return stack;
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  /** The marker for process scans: part of the environment and command line of every agent and attempt of this stack. */
  get marker(): string {
    return this.#directory.path;
  }

  get databaseUrl(): string {
    return this.postgres.url;
  }

  /** Address of the first server. */
  get url(): string {
    const [first] = this.servers;
    if (first === undefined) throw new Error('This stack has no server');
    return first.url;
  }

  /** A client signed in as the administrator at the first server. */
  get admin(): RestClient {
    if (this.#admin === undefined) throw new Error('The first server has not started');
    return this.#admin;
  }

  /** Name and password of the administrator, for browser tests. */
  get bootstrap(): Bootstrap {
    if (this.#bootstrap === undefined) throw new Error('The first server has not started');
    return this.#bootstrap;
  }

  async addServer(options: { port?: number; env?: NodeJS.ProcessEnv } = {}): Promise<ServerProgram> {
    const server = await startServer({
      databaseUrl: this.postgres.url,
      redisUrl: this.redis?.url,
      port: options.port,
      env: { ...this.#serverEnv, ...options.env },
    });
    this.servers.push(server);
    return server;
  }

  /** Makes a join token with these labels, caps and speed, and starts an agent with it. */
  async addAgent({ name, env, serverUrl, ...request }: AgentRequest): Promise<AgentProgram> {
    const { token } = await this.admin.post<CreatedJoinToken>('/join-tokens', request);
    return this.#launchAgent({ serverUrl: serverUrl ?? this.url, name, home: join(this.#directory.path, name), joinToken: token, env });
  }

  /** Starts a stopped or killed agent again with its home; it needs no token. */
  restartAgent(agent: AgentProgram, options: { env?: NodeJS.ProcessEnv; serverUrl?: string } = {}): AgentProgram {
    const at = this.agents.indexOf(agent);
    if (at >= 0) this.agents.splice(at, 1);
    return this.#launchAgent({ serverUrl: options.serverUrl ?? this.url, name: agent.name, home: agent.home, env: options.env });
  }

  /** Ends everything, attempts included, and removes the data. */
  async stop(): Promise<void> {
    await Promise.all(this.agents.map((agent) => agent.kill9()));
    await endProcessesByMarker(this.marker);
    await Promise.all(this.servers.map((server) => server.stop(5_000)));
    await Promise.all([this.redis?.stop(), this.postgres.stop()]);
    this.#directory.remove();
  }

  #launchAgent(launch: AgentLaunch): AgentProgram {
    const agent = startAgent({ ...launch, env: { MEDLEY_HOME: this.marker, ...launch.env } });
    this.agents.push(agent);
    return agent;
  }

  async #firstServer(): Promise<void> {
    const server = await this.addServer();
    if (server.bootstrap === null) throw new Error(`The first server wrote no bootstrap file\n${server.output}`);
    this.#bootstrap = server.bootstrap;
    this.#admin = await signIn(server.url, server.bootstrap.adminName, server.bootstrap.adminPassword);
  }
}

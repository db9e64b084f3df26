import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { StepFailed } from '../repository/run.mjs';
import { startPostgres } from '../services/postgres.mjs';
import { findRedis, startRedis } from '../services/redis.mjs';
import { describeAgents, mustJoin, planAgents, startAgent } from './agents.mjs';
import { applyExamples, forgetBootstrap, readBootstrap, signIn, startExamples, untilMeasured, untilOnline } from './first-start.mjs';
import { findPython } from './python.mjs';
import { choosePort, localUrl, startServer, untilServing } from './server.mjs';
import { generateStartToken } from './start-token.mjs';
import { startGuard } from './watch-over.mjs';

/** One `npm start`: brings everything up in order, waits for the end, takes everything down in the opposite order. */
export class Installation {
  #options;
  #home;
  #guard;
  #agents = new Set();
  #services = [];
  #isEnding = false;
  #ending = new AbortController();
  #ended;
  #resolveEnded;

  constructor(options, home) {
    this.#options = options;
    this.#home = home;
    this.#ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  /** Resolves with the exit code once everything is down again. */
  async run() {
    this.#listenForSignals();
    const plan = planAgents({ count: this.#options.agents, homeId: this.#home.id });
    this.#guard = await startGuard({ home: this.#home.path, groups: plan.flatMap(({ quota }) => (quota === null ? [] : [quota.path])) });
    const started = this.#start(plan);
    try {
      await Promise.race([started, this.#ended]);
      return await this.#ended;
    } finally {
      this.#isEnding = true;
      await this.#stop();
      // A start that was interrupted fails when its services go; what it brought up at the last moment goes too.
      await started.catch(() => undefined);
      await this.#stop();
      await this.#endLeftovers();
    }
  }

  /** A terminal and npm may both deliver the same Ctrl-C: only a signal that comes a second later counts as "once more". */
  #listenForSignals() {
    let firstAt = 0;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.on(signal, () => {
        if (this.#isEnding && performance.now() - firstAt > 1000) process.exit(130);
        firstAt ||= performance.now();
        this.#end(0, `\nmedley: stopping (${signal}); once more ends at once`);
      });
    }
  }

  #end(code, message) {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#ending.abort();
    console.log(message);
    this.#resolveEnded(code);
  }

  async #start(plan) {
    const { host } = this.#options;
    const last = this.#home.facts.read().port ?? null;
    const port = await choosePort({ asked: this.#options.port, last, host });
    const url = localUrl(host, port);
    const databaseUrl = await this.#startDatabase();
    const redisUrl = await this.#startQueue();
    const logFile = this.#home.log('server');
    console.log('medley: starting the server');
    const instance = randomUUID();
    const { bootstrap: bootstrapFile, secretKeys } = this.#home;
    const token = generateStartToken();
    const { hash: startTokenHash } = token;
    const keys = secretKeys();
    const server = startServer({ host, port, instance, databaseUrl, redisUrl, secretKeys: keys, startTokenHash, bootstrapFile, logFile });
    this.#keep(server, logFile);
    await untilServing(server, url, instance);
    this.#home.facts.write({ port });
    const client = await signIn({ home: this.#home, url, token: token.text });
    const hasPython = this.#options.example && findPython() !== null;
    const launchedAt = Date.now();
    await this.#startAgents(plan, url, client);
    if (client !== null) await untilOnline(client, plan, launchedAt);
    if (this.#options.example && client !== null) await this.#applyExamples(client, url, hasPython);
    this.#announce({ url, plan, redisUrl });
    if (client !== null) await this.#goOnBehind(client, plan, launchedAt);
  }

  async #applyExamples(client, url, hasPython) {
    const leftOut = await applyExamples({ home: this.#home, client, url, hasPython });
    if (leftOut.length > 0) {
      console.log(`medley: no python3 here and none can be installed: ${leftOut.join(', ')} left out; install it, then start again`);
    }
  }

  /** What need not hold up the announcement. The examples start once all nodes are measured, so that all of them have their share. */
  async #goOnBehind(client, plan, launchedAt) {
    try {
      const measured = await untilMeasured(client, plan, launchedAt, this.#ending.signal);
      if (this.#isEnding) return;
      const list = measured.map(({ name, performance }) => `${name} ${performance ?? 'not yet, its log tells why'}`).join(', ');
      if (plan.length > 0) console.log(`medley: measured performance: ${list}`);
      if (this.#options.example) await startExamples({ home: this.#home, client });
    } catch (error) {
      if (!this.#isEnding) console.log(`medley: the examples were not started: ${error.message}`);
    }
  }

  async #startDatabase() {
    if (this.#options.databaseUrl !== null) return this.#options.databaseUrl;
    console.log('medley: starting Postgres');
    const logFile = this.#home.log('postgres');
    const postgres = await startPostgres({ directory: this.#home.postgres, logFile });
    this.#keep(postgres.child, logFile, () => postgres.stop());
    return postgres.url;
  }

  async #startQueue() {
    if (!this.#options.redis) return null;
    if (this.#options.redisUrl !== null) return this.#options.redisUrl;
    const program = findRedis({ install: true });
    if (program === null) return null;
    console.log('medley: starting Redis');
    const logFile = this.#home.log('redis');
    const redis = await startRedis({ directory: this.#home.redis, program, logFile });
    this.#keep(redis.child, logFile);
    return redis.url;
  }

  async #startAgents(plan, url, client) {
    if (plan.length > 0) console.log('medley: starting the agents');
    for (const agent of plan) {
      const agentHome = this.#home.agent(agent.name);
      const joinToken = mustJoin(agentHome) ? await this.#joinToken(client, agent) : null;
      this.#launchAgent({
        agent,
        serverUrl: url,
        home: this.#home.path,
        agentHome,
        joinToken,
        logFile: this.#home.log(`agent-${agent.name}`),
      });
    }
  }

  async #joinToken(client, agent) {
    if (client === null) {
      throw new StepFailed('agents cannot be set up: no administrator of this database can sign in. Start with --agents 0, or enable one.');
    }
    const declaredSpeed = agent.means === 'declared' ? agent.cores : null;
    const request = { labels: { strength: agent.name }, capacityCap: { cpuMillis: 1000 }, declaredSpeed, expiresInHours: 1 };
    const { token } = await client.post('/join-tokens', request);
    return token;
  }

  /** An agent that ends by itself is started again: it adopts the attempts that run. */
  #launchAgent(launch, pauseMs = 1_000) {
    const child = startAgent(launch);
    this.#guard.watch(child);
    this.#agents.add(child);
    child.exited.then(async ({ code, signal }) => {
      this.#agents.delete(child);
      if (this.#isEnding) return;
      console.log(`medley: ${child.name} ended (code ${code}, signal ${signal}), starting it again; its log is ${launch.logFile}`);
      await delay(pauseMs);
      if (!this.#isEnding) this.#launchAgent(launch, Math.min(2 * pauseMs, 60_000));
    });
  }

  /** Nothing works without the server, Postgres or Redis: when one of them ends, all is stopped. */
  #keep(child, logFile, stop = () => child.stop()) {
    this.#guard.watch(child);
    this.#services.push(stop);
    child.exited.then(({ code, signal }) =>
      this.#end(1, `medley: ${child.name} ended (code ${code}, signal ${signal}); its log is ${logFile}`),
    );
  }

  #announce({ url, plan, redisUrl }) {
    const admin = readBootstrap(this.#home);
    const dispatch = redisUrl === null ? 'by long poll (no Redis)' : 'by a Redis queue per node';
    console.log(`
Medley is running.
  console   ${url}
  sign in   ${admin === null ? 'with the password shown at the first start' : `${admin.adminName} / ${admin.adminPassword}   (shown only this once)`}
  agents    ${describeAgents(plan)}
  dispatch  ${dispatch}
  data      ${this.#home.path}
Ctrl-C stops everything; the data stays.`);
    forgetBootstrap(this.#home);
  }

  /** Agents first, so that they can report; then server, Redis and Postgres. */
  async #stop() {
    await Promise.all([...this.#agents].map((child) => child.stop({ graceMs: 8_000 })));
    for (const stop of this.#services.splice(0).reverse()) await stop();
  }

  async #endLeftovers() {
    const count = await this.#guard.finish();
    if (count > 0) console.log(`medley: ended ${count} processes of running attempts; their tasks are tried again after the next start`);
    console.log('medley: stopped');
  }
}

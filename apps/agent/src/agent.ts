import { randomUUID } from 'node:crypto';
import type { AttemptRef, MeasuredPerformance, NodeCapacity, NodeFacts, SessionAnswer, StopOrder } from '@medley/contracts';
import { noResources, resourcesFit, subtractResources } from '@medley/core';
import { adoptAttempts } from './attempts/adoption.js';
import { AttemptBook } from './attempts/attempt-book.js';
import { AttemptRounds } from './attempts/attempt-rounds.js';
import { AttemptStarter } from './attempts/attempt-starter.js';
import { type Cgroups, detectCgroups } from './attempts/cgroups.js';
import { createProcessTree, type ProcessTree } from './attempts/process-tree.js';
import { type CpuThrottle, createCpuThrottle } from './attempts/throttle/cpu-throttle.js';
import { ClaimDesk } from './claims/claim-desk.js';
import { readMachineBootId } from './clock.js';
import type { AgentConfig } from './config.js';
import { type HomePaths, openHome } from './home/home-directory.js';
import { lockHome } from './home/home-lock.js';
import { type JoinContext, joinServer, obtainCredential } from './join/join.js';
import { Lease } from './lease/lease.js';
import { findPython, readNodeFacts } from './load/node-facts.js';
import { LoadMeter } from './load/node-load.js';
import type { Logger } from './log.js';
import { measureInChild } from './performance/measure-in-child.js';
import { Heartbeat } from './session/heartbeat.js';
import { beginSession, type SessionOptions } from './session/session.js';
import { DiskWatch } from './spool/disk-watch.js';
import { ReportSender } from './spool/report-sender.js';
import { FileTransfer } from './transport/file-transfer.js';
import { PullLoop } from './transport/pull-loop.js';
import { QueueConsumer } from './transport/queue-consumer.js';
import { ServerClient } from './transport/server-client.js';
import { FileLooks } from './watches/file-looks.js';
import { lookForFile } from './watches/look-for-file.js';

export const AGENT_VERSION = '0.1.0';
const FLUSH_MS = 2000;

/**
 * The agent: adopts, says hello, obeys stop orders, and only then takes work. Ending it leaves its attempts running; the next one adopts
 * them.
 */
export class Agent {
  private readonly client: ServerClient;
  private readonly abort = new AbortController();
  private readonly bootId = randomUUID();
  private readonly tree: ProcessTree = createProcessTree(process.platform);
  private readonly sender: ReportSender;
  private readonly desk: ClaimDesk;
  private readonly files: FileTransfer;
  private readonly queue: QueueConsumer;
  private readonly pull: PullLoop;
  private book!: AttemptBook;
  private rounds!: AttemptRounds;
  private lease!: Lease;
  private heartbeat: Heartbeat | null = null;
  private facts!: NodeFacts;
  /** What the server reserves from. */
  private capacity: NodeCapacity = noResources;
  private performance: MeasuredPerformance | null = null;
  private declaredSpeed: number | null = null;
  private nodeName: string;
  private releaseHome: () => void = () => undefined;
  private cgroups: Cgroups | null = null;
  private throttle: CpuThrottle | null = null;

  constructor(
    private readonly config: AgentConfig,
    private readonly log: Logger,
  ) {
    this.nodeName = config.name;
    this.client = new ServerClient(config.serverUrls);
    this.files = new FileTransfer(this.client);
    this.sender = new ReportSender(this.client, (stops) => this.applyStops(stops), log);
    this.desk = new ClaimDesk({
      client: this.client,
      log,
      knows: (ref) => this.book.knows(ref),
      room: () => config.maxRunning - this.book.size,
      fits: (awaited) => resourcesFit(awaited, subtractResources(this.capacity, this.book.used())),
      onGranted: (dispatch, work, stop) => this.book.accept(dispatch, work, stop),
    });
    this.queue = new QueueConsumer(this.desk, log);
    this.pull = new PullLoop(this.client, this.desk, (stops) => this.applyStops(stops), log);
  }

  /** Runs until `stop`; rejects for what only a person can mend. */
  async run(): Promise<void> {
    const paths = await openHome(this.config.home);
    this.releaseHome = await lockHome(paths.lock, this.tree);
    const [cgroups, python] = await Promise.all([detectCgroups(process.platform), findPython()]);
    this.cgroups = cgroups;
    this.throttle = this.createThrottle(paths.throttle);
    this.facts = await readNodeFacts(paths.home, AGENT_VERSION, python, this.throttle?.sharePercent ?? null);
    await this.prepareAttempts(paths, cgroups, python);
    this.throttle?.start();
    const join: JoinContext = {
      client: this.client,
      config: this.config,
      credentialPath: paths.credential,
      facts: this.facts,
      log: this.log,
      signal: this.abort.signal,
    };
    this.nodeName = (await obtainCredential(join)).name;
    const session = this.sessionOptions(join);
    const answer = await beginSession(session);
    this.useSession(answer);
    this.sender.open();
    this.pull.start();
    void this.measure(paths.home);
    const load = new LoadMeter(paths.home);
    const look = (path: string) => lookForFile(path, this.config.watchPaths);
    const fileLooks = new FileLooks({ client: this.client, look, log: this.log, signal: this.abort.signal });
    this.heartbeat = new Heartbeat({
      ...session,
      onLooks: (looks) => fileLooks.begin(looks),
      heartbeatSeconds: answer.heartbeatSeconds,
      load: () => load.read(),
      hasQueue: () => this.queue.hasAccess,
      onRenew: async () => this.useSession(await beginSession(session)),
    });
    await this.heartbeat.start();
  }

  /** Takes no more work, sends what it can within two seconds, and leaves the attempts running. */
  async stop(): Promise<void> {
    this.abort.abort(new Error('the agent is being stopped'));
    this.queue.stop();
    this.heartbeat?.stop();
    await Promise.all([this.pull.stop(), this.desk.close(FLUSH_MS / 2)]);
    await this.sender.close(FLUSH_MS);
    this.rounds?.stop();
    this.throttle?.stop();
    await this.cgroups?.release();
    await this.client.close();
    this.releaseHome();
  }

  private async prepareAttempts(paths: HomePaths, cgroups: Cgroups, python: string | null): Promise<void> {
    const machineBootId = readMachineBootId();
    this.lease = new Lease(paths.lease, machineBootId);
    await this.lease.restore();
    const { tree, sender, lease, log } = this;
    this.book = new AttemptBook({
      attemptsDirectory: paths.attempts,
      machineBootId,
      around: { tree, sender, lease, files: this.files, log },
      sender,
      onRoom: () => this.desk.roomFreed(),
    });
    this.rounds = new AttemptRounds(this.book, sender, lease, this.diskWatch(paths), log);
    const identity = () => ({ name: this.nodeName, declaredSpeed: this.declaredSpeed, installation: this.config.installation });
    const onStarted = (attempt: { spool: Parameters<ReportSender['notify']>[0] }) => sender.notify(attempt.spool);
    this.book.useStarter(new AttemptStarter(cgroups, () => python, identity, this.config.environment, this.files, log, onStarted));
    await adoptAttempts({ attemptsDirectory: paths.attempts, machineBootId, book: this.book, rounds: this.rounds, tree, log });
    this.rounds.start();
    log.info({ home: paths.home, cgroups: cgroups.kind, python, adopted: this.book.size }, 'agent ready');
  }

  private createThrottle(file: string): CpuThrottle | null {
    const { cpuSharePercent: sharePercent } = this.config;
    const trees = () => this.book.runningTrees();
    return sharePercent === null ? null : createCpuThrottle(process.platform, { sharePercent, file, trees, log: this.log });
  }

  private diskWatch(paths: HomePaths): DiskWatch {
    return new DiskWatch(paths.home, paths.reserve, this.config.diskFreeMinMib, this.log);
  }

  private sessionOptions(join: JoinContext): SessionOptions {
    return {
      client: this.client,
      bootId: this.bootId,
      facts: () => this.facts,
      performance: () => this.performance,
      live: () => this.live(),
      lastAnswer: { at: null },
      lease: this.lease,
      onStops: (stops) => this.applyStops(stops),
      rejoin: async () => {
        this.nodeName = (await joinServer(join)).name;
      },
      log: this.log,
      signal: this.abort.signal,
    };
  }

  private useSession(answer: SessionAnswer): void {
    this.declaredSpeed = answer.declaredSpeed;
    this.capacity = answer.capacity ?? this.facts.capacity;
    this.queue.use(answer.queue);
  }

  private live(): AttemptRef[] {
    return [...this.book.live(), ...this.desk.live()];
  }

  private applyStops(stops: StopOrder[]): void {
    this.desk.applyStops(this.book.applyStops(stops));
  }

  /** In the background: the agent takes work at once, and the next heartbeat carries the result. */
  private async measure(home: string): Promise<void> {
    try {
      this.performance = await measureInChild(home, this.abort.signal, this.throttle);
      this.log.info(this.performance, 'performance measured');
    } catch (error) {
      if (this.abort.signal.aborted) return;
      this.log.error({ error: String(error) }, 'performance could not be measured');
    }
  }
}

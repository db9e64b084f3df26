import type { Claim, ClaimResult, Report, ReportAck, ReportBody } from '@medley/contracts';
import { placeTurn } from '@medley/core';
import { createDataSource, inTransaction, sqlOutsideTransaction, uuidv7 } from '@medley/database';
import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { ClaimsService } from '../agent-api/claims.service.js';
import { LooksService } from '../agent-api/looks.service.js';
import { NodeSessionService } from '../agent-api/node-session.service.js';
import { ReportsService } from '../agent-api/reports.service.js';
import { WorkService } from '../agent-api/work.service.js';
import type { BlobStore } from '../blobs/blob-store.js';
import { BlobStoreWatch } from '../blobs/blob-store-watch.js';
import { openBlobStore } from '../blobs/open-blob-store.js';
import { readServerConfig, type ServerConfig } from '../config.js';
import { NodeQueues } from '../dispatch-queue/node-queues.js';
import { AdmitPass } from '../passes/admit.pass.js';
import { ArchivePass } from '../passes/archive.pass.js';
import { BackfillPass } from '../passes/backfill.pass.js';
import { DeadlinePass } from '../passes/deadline.pass.js';
import { DispatchRelay } from '../passes/dispatch-relay.js';
import { FirePass } from '../passes/fire.pass.js';
import { PlacePass } from '../passes/place.pass.js';
import { PrunePass } from '../passes/prune.pass.js';
import { ReapPass } from '../passes/reap.pass.js';
import { ReconcilePass } from '../passes/reconcile.pass.js';
import { RelayPass } from '../passes/relay.pass.js';
import { RetryPass } from '../passes/retry.pass.js';
import { UnplacedPass } from '../passes/unplaced.pass.js';
import { UpstreamPass } from '../passes/upstream.pass.js';
import { WatchPass } from '../passes/watch.pass.js';
import { PlacementEngine } from '../placement-worker/placement-engine.js';
import { cancelRun } from '../runs/cancel-run.js';
import { createRuns } from '../runs/create-runs.js';
import { pauseRun, resumeRun } from '../runs/pause-run.js';
import { type RerunWish, rerunRun } from '../runs/rerun-run.js';
import { SecretKeys } from '../secrets/secret-keys.js';
import { RuntimeLearner } from '../settlement/runtime-learner.js';
import { Settlement } from '../settlement/settlement.js';
import type { AttemptEnding, Mark, Marking, Settled } from '../settlement/settlement.types.js';
import { WorkflowSpecs } from '../settlement/workflow-specs.js';
import { WakeBus } from '../wake/wake-bus.js';
import type { AttemptRow, WorkflowRef } from './spine.fixture.js';

export interface ReplicaOptions {
  /** Happens between the snapshot of each turn of the place pass and its writing. */
  beforePlacing?: () => Promise<void>;
  /** Whether a turn of the place pass has used up its time; the real clock when missing. */
  isTimeOver?: () => boolean;
  redisUrl?: string | null;
  /** Stands between the replica and its blob store. */
  blobs?: (store: BlobStore) => BlobStore;
  env?: Record<string, string>;
}

const quiet = pino({ level: 'silent' });

/** The server's passes and agent services, wired as in its modules, without the process around them: tests call them one by one. */
export class Replica {
  readonly bus = new WakeBus();
  readonly queues: NodeQueues;
  readonly learner: RuntimeLearner;
  readonly settlement: Settlement;
  readonly relay: DispatchRelay;
  readonly blobWatch: BlobStoreWatch;
  readonly passes;
  readonly claims: ClaimsService;
  readonly reports: ReportsService;
  readonly sessions: NodeSessionService;
  readonly work: WorkService;
  readonly looks: LooksService;

  private constructor(
    readonly source: DataSource,
    config: ServerConfig,
    readonly blobs: BlobStore,
    beforePlacing: () => Promise<void>,
    isTimeOver?: () => boolean,
  ) {
    const listNodeIds = async () => (await sqlOutsideTransaction(source).query<{ id: string }>('select id from nodes')).map(({ id }) => id);
    const { redisUrl } = config;
    this.queues = new NodeQueues({ redisUrl, agentHost: null, agentPort: null, secret: 'secret', listNodeIds }, quiet);
    this.learner = new RuntimeLearner(source, quiet);
    this.settlement = new Settlement(new WorkflowSpecs(), this.bus, this.learner);
    this.relay = new DispatchRelay(this.queues, this.bus, source, quiet);
    this.claims = new ClaimsService(source, this.settlement, new SecretKeys(config), this.bus);
    this.reports = new ReportsService(source, this.settlement, this.bus);
    this.sessions = new NodeSessionService(source, config, this.queues, this.settlement, this.bus);
    this.looks = new LooksService(source, this.settlement, this.bus);
    this.work = new WorkService(source, this.bus);
    this.blobWatch = new BlobStoreWatch(source, this.blobs, quiet);
    const engine = new PlacementEngine();
    const decide = engine.decide.bind(engine);
    engine.decide = async (input, limitMs) => {
      await beforePlacing();
      return isTimeOver ? placeTurn(input, isTimeOver) : decide(input, limitMs);
    };
    this.passes = {
      place: new PlacePass(source, config, engine, this.relay, this.settlement, this.bus, quiet),
      fire: new FirePass(source, this.settlement, this.bus, quiet),
      backfill: new BackfillPass(source, this.settlement, this.bus, quiet),
      relay: new RelayPass(source, config, this.relay, this.bus),
      admit: new AdmitPass(source, this.settlement, this.bus),
      retry: new RetryPass(source, this.bus),
      deadline: new DeadlinePass(source, this.settlement),
      watch: new WatchPass(source, config, this.settlement, this.bus),
      upstream: new UpstreamPass(source, this.bus),
      unplaced: new UnplacedPass(source, this.settlement, this.bus, quiet),
      reap: new ReapPass(source, config, this.settlement, this.bus, quiet),
      reconcile: new ReconcilePass(source, this.settlement, quiet),
      prune: new PrunePass(source, config),
      archive: new ArchivePass(source, config, this.blobs, this.blobWatch, quiet),
    };
  }

  static async start(databaseUrl: string, options: ReplicaOptions): Promise<Replica> {
    const { redisUrl = null, env = {}, blobs = (store) => store, beforePlacing = async () => {}, isTimeOver } = options;
    const config = readServerConfig({ MEDLEY_DATABASE_URL: databaseUrl, MEDLEY_REDIS_URL: redisUrl ?? undefined, ...env });
    const source = await createDataSource({ url: databaseUrl, poolSize: 4 }).initialize();
    return new Replica(source, config, blobs(await openBlobStore(config.blobStore)), beforePlacing, isTimeOver);
  }

  async close(): Promise<void> {
    await this.queues.close();
    await this.learner.onApplicationShutdown();
    await this.source.destroy();
  }

  async startRun({ id, version }: WorkflowRef, projectId: string): Promise<string> {
    return (await this.startRuns([{ id, version }], projectId))[0]!;
  }

  async startRuns(workflows: readonly WorkflowRef[], projectId: string): Promise<string[]> {
    const runs = workflows.map(({ id, version }) => ({
      projectId,
      workflowId: id,
      workflowVersion: version,
      trigger: 'manual' as const,
      parameters: {},
    }));
    const { created, refused } = await inTransaction(this.source, (sql) => createRuns(sql, this.settlement.specs, runs));
    if (refused[0]) throw refused[0].error;
    return created.map(({ id }) => id);
  }

  pause(runId: string): Promise<unknown> {
    return inTransaction(this.source, (sql) => pauseRun(sql, runId));
  }

  resume(runId: string): Promise<unknown> {
    return inTransaction(this.source, (sql) => resumeRun(sql, runId));
  }

  /** Decides how a task of a run ends. */
  async mark(taskRunId: string, state: Mark['state'], comment = 'by a test'): Promise<Marking> {
    const reason = { code: 'marked', text: comment };
    const marking = await inTransaction(this.source, (sql) => this.settlement.mark(sql, [{ taskRunId, state, reason }]));
    this.settlement.announceMarking(marking);
    return marking;
  }

  async rerun(runId: string, wish: RerunWish): Promise<string> {
    const [run] = await sqlOutsideTransaction(this.source).query<{ created_by: string | null }>(
      'select created_by from runs where id = $1',
      [runId],
    );
    return (await inTransaction(this.source, (sql) => rerunRun(sql, this.settlement.specs, runId, wish, run!.created_by))).id;
  }

  /** `wholly`: its final tasks as well. */
  cancel(runId: string, wholly = false): Promise<unknown> {
    return inTransaction(this.source, (sql) => cancelRun(sql, this.settlement.specs, runId, wholly));
  }

  /** Runs the place pass until it has nothing more to place at once. */
  async place(): Promise<void> {
    for (let turns = 0; turns < 100; turns++) if (!(await this.passes.place.run()).again) return;
    throw new Error('the place pass does not come to an end');
  }

  async claim(attempt: AttemptRow, changes: Partial<Claim> & { nodeId?: string } = {}): Promise<ClaimResult> {
    const { nodeId = attempt.node_id, ...rest } = changes;
    const [result] = await this.claims.claim(nodeId, [{ ...claimOf(attempt), ...rest }]);
    return result!;
  }

  /** Claims every dispatched attempt of a run, prefetched ones as far as there is room, and returns all its attempts by task, the newest of each. */
  async claimAll(runId: string): Promise<Map<string, AttemptRow>> {
    const rows = await sqlOutsideTransaction(this.source).query<AttemptRow>(
      'select a.*, t.task_key from attempts a join task_runs t on t.id = a.task_run_id where a.run_id = $1 order by a.id',
      [runId],
    );
    const waiting = rows.filter((row) => row.state === 'dispatched');
    const results = await Promise.all(waiting.map((row) => this.claim(row)));
    const refused = results.find((result) => !result.granted && !result.noRoom);
    if (refused) throw new Error(`a claim was refused: ${JSON.stringify(refused)}`);
    return new Map(rows.map((row) => [row.task_key, row]));
  }

  /** Places and claims what is ready: all of it runs afterwards. */
  async runReady(runId: string): Promise<Map<string, AttemptRow>> {
    await this.place();
    return this.claimAll(runId);
  }

  /** Ends attempts in one transaction and announces it. */
  async end(endings: readonly (Partial<AttemptEnding> & { attemptId: string })[]): Promise<Settled> {
    const full = endings.map((ending) => ({ ...succeeded, ...ending }));
    const settled = await inTransaction(this.source, (sql) => this.settlement.endAttempts(sql, full));
    this.settlement.announce(settled);
    return settled;
  }

  /** Reports of one attempt, numbered from `first`. */
  async report(attempt: AttemptRow, bodies: readonly ReportBody[], first = 1, nodeId = attempt.node_id): Promise<ReportAck> {
    const reports = bodies.map((body, index): Report => ({ attemptId: attempt.id, fence: attempt.fence, sequence: first + index, body }));
    const [ack] = await this.reports.report(nodeId, reports);
    return ack!;
  }
}

const succeeded = { outcome: 'succeeded' as const, exitCode: 0, signal: null, detail: null, runSeconds: 0.1 };

export function claimOf(attempt: AttemptRow): Claim {
  const { id: attemptId, task_run_id: taskRunId, fence, prefetched } = attempt;
  return { taskRunId, attemptId, fence, claimId: uuidv7(), carrier: 'pull', ...(prefetched ? { prefetched } : {}) };
}

export function finished(outcome: 'succeeded' | 'failed' | 'timed_out' | 'cancelled', changes: object = {}): ReportBody {
  return { type: 'finished', outcome, exitCode: outcome === 'succeeded' ? 0 : 1, signal: null, detail: null, runSeconds: 0.1, ...changes };
}

export function logOf(data: Buffer | string, offset = 0): ReportBody {
  return { type: 'log', stream: 'stdout', offset, data: Buffer.from(data).toString('base64') };
}

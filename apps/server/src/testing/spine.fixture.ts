import type { WorkflowSpec } from '@medley/contracts';
import { createDataSource, inTransaction, type Sql, sqlOutsideTransaction, uuidv7 } from '@medley/database';
import { createTestDatabase, guardTransitions } from '@medley/testing';
import type { DataSource } from 'typeorm';
import { findCallees, writeCalls } from '../sub-workflows/workflow-calls.js';
import { Replica, type ReplicaOptions } from './replica.fixture.js';
import { unguarded } from './unguarded.js';
import { type TaskFields, taskSpec, workflowSpec } from './workflow.fixture.js';

export interface WorkflowRef {
  id: string;
  version: number;
}

export interface HeldTransaction {
  query(statement: string, values: unknown[]): Promise<unknown>;
  release(): Promise<void>;
}

interface PoolPolicy {
  selector: string;
  k?: number;
  prefetch?: number;
}

/** What a test says of a workflow beside its tasks. */
export interface WorkflowFields extends Partial<Pick<WorkflowSpec, 'parameters' | 'concurrency'>> {
  name?: string;
}

interface NodeFields {
  name?: string;
  cpuMillis?: number;
  memoryMib?: number;
  maxAttempts?: number;
  declaredSpeed?: number | null;
  state?: 'online' | 'unreachable' | 'offline';
  labels?: Record<string, string>;
}

/** One database with a project, in which any number of replicas of the server's inner works act side by side. */
export class Spine {
  readonly sql: Sql;
  private readonly replicas: Replica[] = [];
  private names = 0;

  private constructor(
    readonly url: string,
    private readonly source: DataSource,
    private readonly drop: () => Promise<void>,
    readonly projectId: string,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  static async open(postgresUrl: string): Promise<Spine> {
    const database = await createTestDatabase(postgresUrl);
    await guardTransitions(database.url);
    const source = await createDataSource({ url: database.url, poolSize: 4 }).initialize();
    const projectId = uuidv7();
    await sqlOutsideTransaction(source).query(`insert into projects (id, name) values ($1, 'tests')`, [projectId]);
    return new Spine(database.url, source, database.drop, projectId);
  }

  async close(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.close()));
    await this.source.destroy();
    await this.drop();
  }

  /** Another server on connections of its own. */
  async replica(options: ReplicaOptions = {}): Promise<Replica> {
    const replica = await Replica.start(this.url, options);
    this.replicas.push(replica);
    return replica;
  }

  inTransaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return inTransaction(this.source, work);
  }

  /** Begins a transaction of its own with one statement, whose locks it keeps until `release`. */
  async hold(statement: string, values: unknown[]): Promise<HeldTransaction> {
    const runner = this.source.createQueryRunner();
    await runner.connect();
    await runner.startTransaction();
    await runner.query(statement, values);
    return {
      query: (text, more) => runner.query(text, more),
      release: async () => {
        await runner.commitTransaction();
        await runner.release();
      },
    };
  }

  /** Leaves what no statement of the server ever does, for the passes to mend. */
  damage(statement: string, values: unknown[] = []): Promise<unknown> {
    return unguarded(this.source, statement, values);
  }

  /** How many backends of this database wait for a lock of another. */
  async waitingForLocks(): Promise<number> {
    const [row] = await this.sql.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row!.count;
  }

  async addPool(policy: PoolPolicy = { selector: 'random' }, name = this.name('pool')): Promise<{ id: string; name: string }> {
    const id = uuidv7();
    await this.sql.query('insert into pools (id, name, policy) values ($1, $2, $3)', [id, name, JSON.stringify(policy)]);
    return { id, name };
  }

  async addNode(poolId: string, fields: NodeFields = {}): Promise<string> {
    const id = uuidv7();
    await this.sql.query(
      `insert into nodes (id, pool_id, name, credential_hash, labels, os, arch, hostname, agent_version, protocol, runtimes, cpu_millis, memory_mib, disk_mib,
         gpu_count, max_attempts, declared_speed, state)
       values ($1, $2, $3, $4, $5, 'linux', 'x64', 'host', '1', 2, '{shell}', $6, $7, 100000, 0, $8, $9, $10)`,
      [
        id,
        poolId,
        fields.name ?? this.name('node'),
        Buffer.from(id),
        JSON.stringify(fields.labels ?? {}),
        fields.cpuMillis ?? 1_000_000,
        fields.memoryMib ?? 1_000_000,
        fields.maxAttempts ?? 10_000,
        fields.declaredSpeed === undefined ? 1 : fields.declaredSpeed,
        fields.state ?? 'online',
      ],
    );
    await this.sql.query('insert into node_usage (node_id) values ($1)', [id]);
    await this.sql.query(
      'insert into node_heartbeats (node_id, boot_id, boot_at, received_at) values ($1, $2, clock_timestamp(), clock_timestamp())',
      [id, uuidv7()],
    );
    return id;
  }

  /** A stored workflow; tasks that name no pool go to `pool`. With the name of one that is there it is the next version of it. */
  async addWorkflow(pool: string, tasks: Record<string, TaskFields>, fields: WorkflowFields = {}): Promise<WorkflowRef> {
    const spec = workflowSpec(
      Object.entries(tasks).map(([key, fields], position) => taskSpec(key, position, { pool, ...fields })),
      fields.name ?? this.name('workflow'),
    );
    const [row] = await this.sql.query<{ id: string; version: number }>(
      `insert into workflows (id, project_id, name, latest_version) values ($1, $2, $3, 1)
       on conflict (project_id, name) do update set latest_version = workflows.latest_version + 1 returning id, latest_version as version`,
      [uuidv7(), this.projectId, spec.workflow],
    );
    const { id, version } = row!;
    const stored = { ...spec, ...fields };
    await this.sql.query(
      `insert into workflow_versions (workflow_id, version, definition, spec, checksum) values ($1, $2, '{}', $3, 'none')`,
      [id, version, JSON.stringify(stored)],
    );
    await writeCalls(this.sql, id, version, await findCallees(this.sql, this.projectId, stored));
    return { id, version };
  }

  /** Rows of a run's task runs by key; without the instances of mapped ones. */
  async taskRuns(runId: string): Promise<Map<string, TaskRunRow>> {
    const rows = await this.sql.query<TaskRunRow>('select * from task_runs where run_id = $1 and item = -1 order by position', [runId]);
    return new Map(rows.map((row) => [row.task_key, row]));
  }

  async taskStates(runId: string): Promise<Record<string, string>> {
    return Object.fromEntries([...(await this.taskRuns(runId))].map(([key, { state }]) => [key, state]));
  }

  async run(runId: string): Promise<RunRow> {
    const [row] = await this.sql.query<RunRow>('select * from runs where id = $1', [runId]);
    return row!;
  }

  async attempts(runId: string): Promise<AttemptRow[]> {
    return this.sql.query<AttemptRow>(
      'select a.*, t.task_key from attempts a join task_runs t on t.id = a.task_run_id where a.run_id = $1 order by a.id',
      [runId],
    );
  }

  /** The newest attempt of a task. */
  async attempt(runId: string, key: string): Promise<AttemptRow> {
    return (await this.attempts(runId)).findLast((row) => row.task_key === key)!;
  }

  private name(kind: string): string {
    return `${kind}-${++this.names}`;
  }
}

export interface RunRow {
  id: string;
  state: string;
  open_tasks: number;
  finished_at: Date | null;
}

export interface TaskRunRow {
  id: string;
  task_key: string;
  state: string;
  fence: number;
  tries: number;
  lost_count: number;
  avoid_node_ids: string[];
  reason: { code: string; text: string } | null;
  retry_at: Date | null;
}

export interface AttemptRow {
  id: string;
  run_id: string;
  task_key: string;
  task_run_id: string;
  node_id: string;
  fence: number;
  state: string;
  claim_id: string | null;
  prefetched: boolean;
  send_no: number;
  next_send_at: Date | null;
  report_sequence: number;
  exit_code: number | null;
  detail: string | null;
  stop_reason: string | null;
}

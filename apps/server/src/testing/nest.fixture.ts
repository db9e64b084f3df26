import { someChildAsks } from '../sub-workflows/steer-children.js';
import type { Replica } from './replica.fixture.js';
import { Spine, type WorkflowRef } from './spine.fixture.js';
import type { TaskFields } from './workflow.fixture.js';

/** A task that runs another workflow. */
export const called = (workflow: string, parameters: Record<string, string | number> = {}, version: number | null = null): TaskFields => ({
  kind: 'workflow',
  script: null,
  subWorkflow: { workflow, version, parameters },
});

/** Runs within runs on one node, looked after by two servers at once. */
export class NestScene {
  #names = 0;

  private constructor(
    readonly spine: Spine,
    readonly replica: Replica,
    readonly other: Replica,
    readonly pool: { id: string; name: string },
  ) {}

  static async open(postgresUrl: string): Promise<NestScene> {
    const spine = await Spine.open(postgresUrl);
    const [replica, other] = [await spine.replica(), await spine.replica()];
    const pool = await spine.addPool();
    await spine.addNode(pool.id);
    return new NestScene(spine, replica, other, pool);
  }

  readonly name = (kind: string) => `${kind}-${++this.#names}`;
  readonly add = (tasks: Record<string, TaskFields>, fields: Parameters<Spine['addWorkflow']>[2] = {}) =>
    this.spine.addWorkflow(this.pool.name, tasks, fields);

  /** A workflow with its name, and one that runs it. */
  readonly nested = async (
    child: Record<string, TaskFields>,
    task: (name: string) => TaskFields = called,
    more: Record<string, TaskFields> = {},
  ) => {
    const inner = this.name('inner');
    await this.add(child, { name: inner });
    const outer = await this.add({ sub: task(inner), ...more });
    return { inner, outer, runId: await this.start(outer) };
  };

  readonly start = async (workflow: WorkflowRef): Promise<string> => {
    const runId = await this.replica.startRun(workflow, this.spine.projectId);
    await this.decide();
    return runId;
  };
  /** Both servers look at once, until nothing follows any more. */
  readonly decide = async (): Promise<void> => {
    for (let round = 0; round < 30; round++) {
      const answers = await Promise.all([this.replica.passes.unplaced.run(), this.other.passes.unplaced.run()]);
      await this.replica.passes.retry.run();
      const [due] = await this.spine.sql.query(
        `select 1 where exists (select 1 from task_runs where pool_id is null and state = 'ready') or ${someChildAsks}`,
      );
      if (!due && !answers.some(({ again }) => again)) return;
    }
    throw new Error('the passes do not come to an end');
  };
  readonly childrenOf = (runId: string) =>
    this.spine.sql.query<{
      id: string;
      state: string;
      workflow_version: number;
      parameters: object;
      rerun_of: string | null;
      trigger: string;
    }>('select * from runs where parent_run_id = $1 order by id', [runId]);
  readonly childOf = async (runId: string) => (await this.childrenOf(runId)).at(-1)!.id;
  readonly task = async (runId: string, key = 'sub') => (await this.spine.taskRuns(runId)).get(key)!;
  readonly state = async (runId: string) => (await this.spine.run(runId)).state;

  readonly end = async (runId: string, key: string, outcome: 'succeeded' | 'failed' | 'cancelled' = 'succeeded', outputs = {}) => {
    const attempt = (await this.replica.runReady(runId)).get(key)!;
    await this.replica.end([{ attemptId: attempt.id, outcome, outputs }]);
    await this.decide();
  };
}

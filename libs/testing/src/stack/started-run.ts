import type { RunTasks, RunView, TaskRunView, Why } from '@medley/contracts';
import { aWorkflow, type TaskFields, type WorkflowFields } from '../builders/workflow.builder.js';
import { query } from '../databases/query.js';
import { findProcessesByMarker, type ProcessFacts } from '../processes/find-processes.js';
import { type WaitOptions, waitFor } from '../waiting/wait-for.js';
import type { Stack } from './stack.js';

/** An attempt as the database has it; instants are milliseconds of its clock. */
export interface StoredAttempt extends Record<string, unknown> {
  id: string;
  task: string;
  taskRunId: string;
  node: string;
  fence: number;
  number: number;
  state: string;
  carrier: string | null;
  sendNo: number;
  claimedAt: number | null;
  finishedAt: number | null;
  exitCode: number | null;
  detail: string | null;
  /** The fence that the task run has accepted. */
  acceptedFence: number;
  /** Null for a prefetched attempt that was never claimed. */
  reservation: string | null;
}

const attemptsQuery = `
select a.id, t.task_key as task, t.id as "taskRunId", n.name as node, a.fence, a.fence as number, a.state, a.carrier, a.send_no as "sendNo",
  (extract(epoch from a.claimed_at) * 1000)::float8 as "claimedAt", (extract(epoch from a.finished_at) * 1000)::float8 as "finishedAt",
  a.exit_code as "exitCode", a.detail, t.fence as "acceptedFence", r.state as reservation
from attempts a join task_runs t on t.id = a.task_run_id join nodes n on n.id = a.node_id left join reservations r on r.attempt_id = a.id
where a.run_id = $1 order by t.position, a.fence`;

/** A run that a test has started: what REST says of it, what the database holds, and what runs of it on this machine. */
export class StartedRun {
  constructor(
    private readonly stack: Stack,
    readonly id: string,
    readonly workflowId: string,
  ) {}

  /** Applies a workflow of these tasks and starts a run of it; `start` holds the values of its parameters. */
  static async of(
    stack: Stack,
    name: string,
    tasks: Record<string, TaskFields>,
    { start = {}, ...fields }: WorkflowFields & { start?: Record<string, unknown> } = {},
  ): Promise<StartedRun> {
    const { workflowId } = await stack.admin.apply(JSON.stringify(aWorkflow(tasks, { ...fields, workflow: name })));
    const run = await stack.admin.post<RunView>(`/workflows/${workflowId}/runs`, { parameters: start });
    return new StartedRun(stack, run.id, workflowId as string);
  }

  view(): Promise<RunView> {
    return this.stack.admin.get<RunView>(`/runs/${this.id}`);
  }

  /** Waits for the run to be in one of these states, looking at the database: it answers when no server does. */
  async until(states: readonly string[], options: WaitOptions = {}): Promise<string> {
    let last = 'unknown';
    const look = async () => {
      last = await this.state();
      return states.includes(last) ? last : null;
    };
    return waitFor(look, { timeoutMs: 60_000, pollMs: 50, describe: () => `run to be ${states.join(' or ')}; it is ${last}`, ...options });
  }

  /** Waits for its end and fails with every task that did not succeed when it is another than expected. */
  async ends(expected: 'succeeded' | 'failed' | 'cancelled', options: WaitOptions = {}): Promise<void> {
    const state = await this.until(['succeeded', 'failed', 'cancelled'], options);
    if (state !== expected) throw new Error(`The run ${this.id} ended as ${state}, not as ${expected}\n${await this.tell()}`);
  }

  async state(): Promise<string> {
    const [row] = await query<{ state: string }>(this.stack.databaseUrl, 'select state from runs where id = $1', [this.id]);
    return row?.state ?? 'missing';
  }

  /** State by task key. */
  async taskStates(): Promise<Record<string, string>> {
    const rows = await query<{ task_key: string; state: string }>(
      this.stack.databaseUrl,
      'select task_key, state from task_runs where run_id = $1 order by position',
      [this.id],
    );
    return Object.fromEntries(rows.map((row) => [row.task_key, row.state]));
  }

  async taskRun(key: string): Promise<TaskRunView> {
    const { items } = await this.stack.admin.get<RunTasks>(`/runs/${this.id}/tasks`);
    const found = items.find((item) => item.key === key);
    if (found === undefined) throw new Error(`The run has no task ${key}`);
    return this.stack.admin.get<TaskRunView>(`/task-runs/${found.id}`);
  }

  async why(key: string): Promise<Why> {
    return this.stack.admin.get<Why>(`/task-runs/${(await this.taskRun(key)).id}/why`);
  }

  /** All attempts, or those of one task, in the order of their fences. */
  async attempts(task?: string): Promise<StoredAttempt[]> {
    const rows = await query<StoredAttempt>(this.stack.databaseUrl, attemptsQuery, [this.id]);
    return task === undefined ? rows : rows.filter((row) => row.task === task);
  }

  /** Waits until a task has an attempt in one of these states, and returns it. */
  untilAttempt(task: string, states: readonly string[], options: WaitOptions & { fence?: number } = {}): Promise<StoredAttempt> {
    let last: StoredAttempt[] = [];
    const look = async () => {
      last = await this.attempts(task);
      return last.find((attempt) => states.includes(attempt.state) && (options.fence ?? attempt.fence) === attempt.fence);
    };
    const describe = () =>
      `an attempt of ${task} to be ${states.join(' or ')}; there are ${JSON.stringify(last.map((each) => each.state))}`;
    return waitFor(look, { timeoutMs: 60_000, pollMs: 50, describe, ...options });
  }

  /** What the attempts of a task printed, one after the other, as REST gives it out. */
  async log(task: string, stream = 'stdout'): Promise<string> {
    const texts: string[] = [];
    for (const { id } of await this.attempts(task)) texts.push(await this.logOf(id, stream));
    return texts.join('');
  }

  /** What one attempt printed. */
  async logOf(attemptId: string, stream = 'stdout'): Promise<string> {
    const answer = await this.stack.admin.request('GET', `/attempts/${attemptId}/log/download?stream=${stream}`);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`The log of ${attemptId} answered ${answer.status}: ${text}`);
    return text;
  }

  /** Live processes that carry this run's id in their environment. */
  processes(): ProcessFacts[] {
    return findProcessesByMarker(`MEDLEY_RUN_ID=${this.id}`);
  }

  /** Every task run that did not succeed, with its attempts: for messages of failed tests. */
  async tell(): Promise<string> {
    const states = await this.taskStates();
    const attempts = await this.attempts();
    const lines = Object.entries(states)
      .filter(([, state]) => state !== 'succeeded')
      .map(([task, state]) => {
        const own = attempts.filter((attempt) => attempt.task === task);
        return `${task} ${state}: ${own.map((each) => `#${each.fence} ${each.state} on ${each.node} (${each.detail ?? ''})`).join('; ')}`;
      });
    return lines.slice(0, 30).join('\n');
  }
}

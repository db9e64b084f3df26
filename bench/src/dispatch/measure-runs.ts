import { query, type Stack } from '@medley/testing';
import { runToEnd } from '../stack/run-workflow.js';

const TIMEOUT_MS = 300_000;

export interface Throughput {
  taskRunsPerSecond: number;
  byQueue: number;
  byPull: number;
}

const throughputQuery = `
select r.state, (r.task_count / extract(epoch from max(a.finished_at) - r.created_at))::float8 as "taskRunsPerSecond",
  count(*) filter (where a.state = 'succeeded')::int as succeeded, r.task_count as wanted,
  count(*) filter (where a.carrier = 'queue')::int as "byQueue", count(*) filter (where a.carrier = 'pull')::int as "byPull"
from runs r join attempts a on a.run_id = r.id where r.id = $1 group by r.id`;

/** Runs a workflow of independent tasks: task runs per second from the run's creation to the end of its last attempt, as the database says. */
export async function measureThroughput(stack: Stack, workflowId: string): Promise<Throughput> {
  const runId = await runToEnd(stack, workflowId, TIMEOUT_MS);
  const [row] = await query<Throughput & { state: string; succeeded: number; wanted: number } & Record<string, unknown>>(
    stack.databaseUrl,
    throughputQuery,
    [runId],
  );
  if (row === undefined || row.state !== 'succeeded' || row.succeeded !== row.wanted) {
    throw new Error(`Run ${runId} did not do what was measured: ${JSON.stringify(row)}`);
  }
  return { taskRunsPerSecond: row.taskRunsPerSecond, byQueue: row.byQueue, byPull: row.byPull };
}

export interface StepTimes {
  /** From one task's claim to the claim of the next: a whole round through agent, server, database and queue. */
  periodsMs: number[];
  /** From the stored end of a task to the claim of its child: the server's and the queue's part of it. */
  hopsMs: number[];
}

const stepQuery = `
select (extract(epoch from claimed_at - lag(claimed_at) over (order by t.position)) * 1000)::float8 as period,
  (extract(epoch from claimed_at - lag(a.finished_at) over (order by t.position)) * 1000)::float8 as hop
from attempts a join task_runs t on t.id = a.task_run_id where a.run_id = $1 and a.state = 'succeeded' order by t.position`;

/** Runs a chain by itself and reads how long each step took. */
export async function measureSteps(stack: Stack, workflowId: string): Promise<StepTimes> {
  const runId = await runToEnd(stack, workflowId, TIMEOUT_MS, 250);
  const rows = await query<{ period: number | null; hop: number | null }>(stack.databaseUrl, stepQuery, [runId]);
  const steps = rows.slice(1);
  return { periodsMs: steps.map((row) => row.period as number), hopsMs: steps.map((row) => row.hop as number) };
}

import { withConnection } from '@medley/testing';

/** One attempt as the database holds it; instants are microseconds since 1970. */
export interface AttemptRecord {
  id: string;
  nodeId: string;
  state: string;
  carrier: string | null;
  dispatchedAtUs: number;
  claimedAtUs: number | null;
  finishedAtUs: number | null;
  stdout: string;
}

export interface TaskRecord {
  key: string;
  state: string;
  finishedAtUs: number | null;
  attempts: AttemptRecord[];
}

export interface NodeRecord {
  id: string;
  name: string;
  speed: number;
  cpuMillis: number;
  /** What the counter of the node says is in use after the run. */
  usedCpuMillis: number;
}

export interface ReservationRecord {
  attemptId: string;
  nodeId: string;
  cpuMillis: number;
  heldAtUs: number;
  releasedAtUs: number | null;
}

/** Everything the database knows about a run that has ended. */
export interface RunRecord {
  state: string;
  createdAtUs: number;
  finishedAtUs: number;
  tasks: TaskRecord[];
  nodes: NodeRecord[];
  reservations: ReservationRecord[];
}

const us = (column: string, name: string) => `(extract(epoch from ${column}) * 1000000)::float8 as "${name}"`;

const runQuery = `select state, ${us('created_at', 'createdAtUs')}, ${us('finished_at', 'finishedAtUs')} from runs where id = $1`;
const taskQuery = `select id, task_key as key, state, ${us('finished_at', 'finishedAtUs')} from task_runs where run_id = $1`;
const attemptQuery = `
select a.id, a.task_run_id as "taskRunId", a.node_id as "nodeId", a.state, a.carrier, ${us('a.dispatched_at', 'dispatchedAtUs')},
  ${us('a.claimed_at', 'claimedAtUs')}, ${us('a.finished_at', 'finishedAtUs')},
  coalesce((select convert_from(string_agg(c.data, ''::bytea order by c.byte_offset), 'UTF8') from log_chunks c where c.attempt_id = a.id and c.stream = 1), '') as stdout
from attempts a where a.run_id = $1 order by a.fence`;
const nodeQuery = `
select n.id, n.name, n.declared_speed as speed, n.cpu_millis as "cpuMillis", u.cpu_millis as "usedCpuMillis"
from nodes n join node_usage u on u.node_id = n.id order by n.name`;
const reservationQuery = `
select r.attempt_id as "attemptId", r.node_id as "nodeId", r.cpu_millis as "cpuMillis", ${us('r.held_at', 'heldAtUs')}, ${us('r.released_at', 'releasedAtUs')}
from reservations r join attempts a on a.id = r.attempt_id where a.run_id = $1`;

/** Reads a run with all its attempts, their output, and the reservations held for them. */
export async function readRun(databaseUrl: string, runId: string): Promise<RunRecord> {
  return withConnection(databaseUrl, async (client) => {
    const rows = async <Row>(text: string, values: unknown[] = [runId]) => (await client.query(text, values)).rows as Row[];
    const [run] = await rows<Pick<RunRecord, 'state' | 'createdAtUs' | 'finishedAtUs'>>(runQuery);
    if (run === undefined) throw new Error(`There is no run ${runId}`);
    const tasks = await rows<Omit<TaskRecord, 'attempts'> & { id: string }>(taskQuery);
    const attempts = await rows<AttemptRecord & { taskRunId: string }>(attemptQuery);
    const byTask = new Map<string, AttemptRecord[]>(tasks.map((task) => [task.id, []]));
    for (const attempt of attempts) byTask.get(attempt.taskRunId)?.push(attempt);
    return {
      ...run,
      tasks: tasks.map(({ id, ...task }) => ({ ...task, attempts: byTask.get(id) as AttemptRecord[] })),
      nodes: await rows<NodeRecord>(nodeQuery, []),
      reservations: await rows<ReservationRecord>(reservationQuery),
    };
  });
}

import type { Overview, RunListItem } from '@medley/contracts';
import { type Sql, uuidv7LowerBound } from '@medley/database';
import { answerRow } from '../rest/answer-row.js';
import { runColumns, runFrom } from '../runs/run-rows.js';
import { taskRunReason } from '../runs/task-run-columns.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SHOWN_RUNS = 10;
const SHOWN_TASKS = 20;

/** Active runs, and those created within a day: ids grow with time, so that an id bounds the scan. */
export async function countRuns(sql: Sql, nowMs: number): Promise<Overview['runs']> {
  return countsOf(
    await sql.query<StateCount>(
      `select state, count(*)::int as count from (
         select state from runs where finished_at is null union all select state from runs where id >= $1 and finished_at is not null
       ) r group by state`,
      [uuidv7LowerBound(nowMs - DAY_MS)],
    ),
  );
}

/** Task runs of active runs. */
export async function countTaskRuns(sql: Sql): Promise<Overview['taskRuns']> {
  return countsOf(
    await sql.query<StateCount>(
      'select t.state, count(*)::int as count from runs r join task_runs t on t.run_id = r.id where r.finished_at is null group by t.state',
    ),
  );
}

export async function countNodes(sql: Sql): Promise<Overview['nodes']> {
  return countsOf(await sql.query<StateCount>('select state, count(*)::int as count from nodes where removed_at is null group by state'));
}

export async function readRunningRuns(sql: Sql): Promise<RunListItem[]> {
  const rows = await sql.query<object>(`select ${runColumns} from ${runFrom} where r.finished_at is null order by r.id desc limit $1`, [
    SHOWN_RUNS,
  ]);
  return rows.map((row) => answerRow<RunListItem>(row));
}

/** Of the last seven days. */
export async function readFailedRuns(sql: Sql, nowMs: number): Promise<RunListItem[]> {
  const rows = await sql.query<object>(
    `select ${runColumns} from ${runFrom} where r.state = 'failed' and r.id >= $1 order by r.id desc limit $2`,
    [uuidv7LowerBound(nowMs - 7 * DAY_MS), SHOWN_RUNS],
  );
  return rows.map((row) => answerRow<RunListItem>(row));
}

/** Work that could start but has no node, the longest waiting first. */
export async function readWaitingTasks(sql: Sql): Promise<Overview['waiting']> {
  const rows = await sql.query<object>(
    `select t.id as "taskRunId", t.run_id as "runId", w.name as workflow, t.task_key as "taskKey", t.state, ${taskRunReason}, t.ready_at as since
     from (select * from task_runs where state in ('ready', 'blocked') order by ready_at, id limit $1) t
     join runs r on r.id = t.run_id join workflows w on w.id = r.workflow_id order by t.ready_at, t.id`,
    [SHOWN_TASKS],
  );
  return rows.map((row) => answerRow<Overview['waiting'][number]>(row));
}

export async function readNextFires(sql: Sql): Promise<Overview['nextFires']> {
  const rows = await sql.query<object>(
    `select s.id as "scheduleId", s.name as schedule, s.workflow_id as "workflowId", w.name as workflow, s.next_fire_at as at
     from schedules s join workflows w on w.id = s.workflow_id
     where s.enabled and s.removed_at is null and s.next_fire_at is not null order by s.next_fire_at, s.id limit $1`,
    [SHOWN_RUNS],
  );
  return rows.map((row) => answerRow<Overview['nextFires'][number]>(row));
}

interface MinuteRow {
  minute: Date;
  succeeded: number;
  failed: number;
}

/** Attempts that ended in each of the last sixty minutes, of those dispatched within the last two hours; minutes without any are there as well. */
export async function readThroughput(sql: Sql, nowMs: number): Promise<Overview['throughput']> {
  const rows = await sql.query<MinuteRow>(
    `select date_trunc('minute', finished_at) as minute, (count(*) filter (where state = 'succeeded'))::int as succeeded,
       (count(*) filter (where state in ('failed', 'timed_out', 'lost')))::int as failed
     from attempts where id >= $1 and finished_at >= $2 group by 1`,
    [uuidv7LowerBound(nowMs - 2 * HOUR_MS), new Date(nowMs - HOUR_MS)],
  );
  const byMinute = new Map(rows.map((row) => [row.minute.getTime(), row]));
  const lastMinute = Math.floor(nowMs / 60_000) * 60_000;
  return Array.from({ length: 60 }, (_, index) => {
    const at = lastMinute - (59 - index) * 60_000;
    const { succeeded = 0, failed = 0 } = byMinute.get(at) ?? {};
    return { minute: new Date(at).toISOString(), succeeded, failed };
  });
}

interface StateCount {
  state: string;
  count: number;
}

function countsOf<State extends string>(rows: readonly StateCount[]): Partial<Record<State, number>> {
  return Object.fromEntries(rows.map(({ state, count }) => [state, count])) as Partial<Record<State, number>>;
}

import type { Overview, RunListItem } from '@medley/contracts';
import { type Sql, uuidv7LowerBound } from '@medley/database';
import type { VisibleProjects } from '../access/caller.js';
import { answerRow } from '../rest/answer-row.js';
import { runColumns, runFrom } from '../runs/run-rows.js';
import { taskRunReason } from '../runs/task-run-columns.js';

const DAY_MS = 86_400_000;
const SHOWN_RUNS = 10;
const SHOWN_TASKS = 20;

/** Active runs, and those created within a day: ids grow with time, so that an id bounds the scan. */
export async function countRuns(sql: Sql, nowMs: number, projects: VisibleProjects): Promise<Overview['runs']> {
  return countsOf(
    await sql.query<StateCount>(
      `select state, count(*)::int as count from (
         select state, project_id from runs where finished_at is null
         union all select state, project_id from runs where id >= $1 and finished_at is not null
       ) r where ($2::uuid[] is null or project_id = any($2)) group by state`,
      [uuidv7LowerBound(nowMs - DAY_MS), projects],
    ),
  );
}

/** Task runs of active runs. */
export async function countTaskRuns(sql: Sql, projects: VisibleProjects): Promise<Overview['taskRuns']> {
  return countsOf(
    await sql.query<StateCount>(
      `select t.state, count(*)::int as count from runs r join task_runs t on t.run_id = r.id
       where r.finished_at is null and ($1::uuid[] is null or r.project_id = any($1)) group by t.state`,
      [projects],
    ),
  );
}

/** All nodes by state, and those of them that take new work. */
export async function countNodes(sql: Sql): Promise<Pick<Overview, 'nodes' | 'acceptingNodes'>> {
  const rows = await sql.query<StateCount & { accepting: number }>(
    `select state, count(*)::int as count, (count(*) filter (where state = 'online' and not cordoned and not draining))::int as accepting
     from nodes where removed_at is null group by state`,
  );
  return { nodes: countsOf(rows), acceptingNodes: rows.reduce((sum, { accepting }) => sum + accepting, 0) };
}

export async function readRunningRuns(sql: Sql, projects: VisibleProjects): Promise<RunListItem[]> {
  const rows = await sql.query<object>(
    `select ${runColumns} from ${runFrom} where r.finished_at is null and ($2::uuid[] is null or r.project_id = any($2)) order by r.id desc limit $1`,
    [SHOWN_RUNS, projects],
  );
  return rows.map((row) => answerRow<RunListItem>(row));
}

/** Of the last seven days. */
export async function readFailedRuns(sql: Sql, nowMs: number, projects: VisibleProjects): Promise<RunListItem[]> {
  const rows = await sql.query<object>(
    `select ${runColumns} from ${runFrom} where r.state = 'failed' and r.id >= $1 and ($3::uuid[] is null or r.project_id = any($3)) order by r.id desc limit $2`,
    [uuidv7LowerBound(nowMs - 7 * DAY_MS), SHOWN_RUNS, projects],
  );
  return rows.map((row) => answerRow<RunListItem>(row));
}

/** Work that could start but has no node, the longest waiting first. */
export async function readWaitingTasks(sql: Sql, projects: VisibleProjects): Promise<Overview['waiting']> {
  const rows = await sql.query<object>(
    `select t.id as "taskRunId", t.run_id as "runId", w.name as workflow, t.task_key as "taskKey", t.state, ${taskRunReason}, t.ready_at as since
     from (select * from task_runs w where state in ('ready', 'blocked')
       and ($2::uuid[] is null or exists (select 1 from runs r where r.id = w.run_id and r.project_id = any($2))) order by ready_at, id limit $1) t
     join runs r on r.id = t.run_id join workflows w on w.id = r.workflow_id order by t.ready_at, t.id`,
    [SHOWN_TASKS, projects],
  );
  return rows.map((row) => answerRow<Overview['waiting'][number]>(row));
}

export async function readNextFires(sql: Sql, projects: VisibleProjects): Promise<Overview['nextFires']> {
  const rows = await sql.query<object>(
    `select s.id as "scheduleId", s.name as schedule, s.workflow_id as "workflowId", w.name as workflow, s.next_fire_at as at
     from schedules s join workflows w on w.id = s.workflow_id
     where s.enabled and s.removed_at is null and s.next_fire_at is not null and ($2::uuid[] is null or s.project_id = any($2))
     order by s.next_fire_at, s.id limit $1`,
    [SHOWN_RUNS, projects],
  );
  return rows.map((row) => answerRow<Overview['nextFires'][number]>(row));
}

interface StateCount {
  state: string;
  count: number;
}

function countsOf<State extends string>(rows: readonly StateCount[]): Partial<Record<State, number>> {
  return Object.fromEntries(rows.map(({ state, count }) => [state, count])) as Partial<Record<State, number>>;
}

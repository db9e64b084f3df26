import type { RangeQuery, TimelineFire, TimelineRun } from '@medley/contracts';
import { type Sql, uuidv7LowerBound } from '@medley/database';
import type { VisibleProjects } from '../access/caller.js';
import { answerRow } from '../rest/answer-row.js';
import { type TimetableRow, timetableColumns } from '../schedules/schedule-row.js';

const DAY_MS = 86_400_000;
const MOST_LONG_RUNS = 200;

export interface WorkflowName {
  workflowId: string;
  workflow: string;
  project: string;
}
export type RunOfWorkflow = TimelineRun & WorkflowName;
export type DueSchedule = WorkflowName & Omit<TimelineFire, 'at'> & TimetableRow & { nextFireAt: Date };

const columns = `r.id, r.workflow_id as "workflowId", w.name as workflow, p.name as project, r.state, r.trigger, r.created_at as "createdAt",
  r.started_at as "startedAt", r.finished_at as "finishedAt"`;

/**
 * The newest runs that overlap the range, and those that began before all of these and still run. Ids grow with time: a bound of ids is a bound of the
 * index, so the cost is that of the range and not of the history.
 */
export async function readRuns(sql: Sql, { from, to }: RangeQuery, projects: VisibleProjects, most: number): Promise<RunOfWorkflow[]> {
  const fromMs = Date.parse(from);
  const toMs = Date.parse(to);
  const lower = uuidv7LowerBound(fromMs - Math.min(DAY_MS, toMs - fromMs));
  const rows = await sql.query<object>(
    `select ${columns} from (
       (select * from runs where id >= $1 and id < $2 and ($3::uuid[] is null or project_id = any($3)) and (finished_at is null or finished_at > $4)
          order by id desc limit $5)
       union all
       (select * from runs where finished_at is null and id < $1 and ($3::uuid[] is null or project_id = any($3)) order by id desc limit $6)
     ) r join workflows w on w.id = r.workflow_id join projects p on p.id = r.project_id order by r.id desc`,
    [lower, uuidv7LowerBound(toMs), projects, new Date(fromMs), most, MOST_LONG_RUNS],
  );
  return rows.map((row) => answerRow<RunOfWorkflow>(row));
}

/** Schedules that fire before the end of the range, the next one first. */
export async function readDueSchedules(sql: Sql, { to }: RangeQuery, projects: VisibleProjects, most: number): Promise<DueSchedule[]> {
  return sql.query<DueSchedule & Record<string, unknown>>(
    `select s.id as "scheduleId", s.name as schedule, s.workflow_id as "workflowId", w.name as workflow, p.name as project, ${timetableColumns},
       s.next_fire_at as "nextFireAt"
     from schedules s join workflows w on w.id = s.workflow_id join projects p on p.id = s.project_id
     where s.enabled and s.removed_at is null and s.next_fire_at < $1 and ($2::uuid[] is null or s.project_id = any($2))
     order by s.next_fire_at, s.id limit $3`,
    [new Date(to), projects, most],
  );
}

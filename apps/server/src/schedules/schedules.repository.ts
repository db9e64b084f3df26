import type { Page, ScheduleQuery, ScheduleView } from '@medley/contracts';
import { AppError, nextFires } from '@medley/core';
import type { Sql } from '@medley/database';
import type { VisibleProjects } from '../access/caller.js';
import { answerRow } from '../rest/answer-row.js';
import { decodeCursor, listKind, pageOfRows } from '../rest/cursor.js';
import { cronRuleOf } from './next-fire.js';

const SHOWN_FIRES = 5;

const scheduleSelect = `
select s.id, s.project_id as "projectId", p.name as project, s.workflow_id as "workflowId", w.name as workflow, s.name, s.cron, s.zone, s.parameters,
  s.misfire, s.enabled, s.next_fire_at as "nextFireAt", last.id as "lastRunId", s.created_at as "createdAt", s.updated_at as "updatedAt"
from schedules s join projects p on p.id = s.project_id join workflows w on w.id = s.workflow_id
left join lateral (select id from runs r where r.schedule_id = s.id and r.trigger = 'schedule' order by r.fire_at desc limit 1) last on true`;

interface ScheduleRow {
  id: string;
  name: string;
  workflow: string;
  cron: string;
  zone: string;
  enabled: boolean;
  nextFireAt: Date | null;
}

/** By workflow and name. */
export async function listSchedules(sql: Sql, query: ScheduleQuery, projects: VisibleProjects): Promise<Page<ScheduleView>> {
  const kind = listKind('schedules', query);
  const [workflow, name, id] = decodeCursor(kind, query.cursor, 3) ?? [null, null, null];
  const rows = await sql.query<ScheduleRow>(
    `${scheduleSelect}
     where s.removed_at is null and ($1::uuid[] is null or s.project_id = any($1)) and ($2::uuid is null or s.workflow_id = $2)
       and ($3::text is null or (w.name, s.name, s.id::text) > ($3, $4, $5)) order by w.name, s.name, s.id limit $6`,
    [projects, query.workflowId ?? null, workflow, name, id, query.limit + 1],
  );
  return pageOfRows(rows, query.limit, kind, (row) => [row.workflow, row.name, row.id], scheduleViewOf);
}

/** Throws not-found. */
export async function getSchedule(sql: Sql, id: string): Promise<ScheduleView> {
  const [row] = await sql.query<ScheduleRow>(`${scheduleSelect} where s.id = $1 and s.removed_at is null`, [id]);
  if (!row) throw new AppError('not-found', 'There is no such schedule.');
  return scheduleViewOf(row);
}

/** The stored next fire is the first of the list, so that what is shown is what will happen. */
function scheduleViewOf(row: ScheduleRow): ScheduleView {
  const following = row.nextFireAt ? nextFires(cronRuleOf(row.cron, row.zone), row.nextFireAt.getTime(), SHOWN_FIRES - 1) : [];
  const fires = row.enabled && row.nextFireAt ? [row.nextFireAt.getTime(), ...following] : [];
  return { ...answerRow<ScheduleView>(row), nextFires: fires.map((at) => new Date(at).toISOString()) };
}

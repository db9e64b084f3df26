import type { Page, ScheduleQuery, ScheduleView } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import type { VisibleProjects } from '../access/caller.js';
import { answerRow } from '../rest/answer-row.js';
import { listKind, pageOfRows } from '../rest/cursor.js';
import { listOrder, type SortColumn } from '../rest/sorted-list.js';
import { firesAfter } from './next-fire.js';
import { ruleOfRow, type TimetableRow, timetableColumns, timetableOfRow } from './schedule-row.js';

const SHOWN_FIRES = 5;

const scheduleColumns = `s.id, s.project_id as "projectId", p.name as project, s.workflow_id as "workflowId", w.name as workflow, s.name, ${timetableColumns},
  s.overlap, s.jitter_seconds as "jitterSeconds", s.held_by_run_id as "heldByRunId", s.passed_over as "passedOver", s.parameters, s.misfire, s.enabled, s.next_fire_at as "nextFireAt", last.id as "lastRunId", last."lastRun", s.created_at as "createdAt",
  s.updated_at as "updatedAt"`;
const scheduleNames = 'from schedules s join projects p on p.id = s.project_id join workflows w on w.id = s.workflow_id';
const scheduleFrom = `${scheduleNames}
  left join lateral (select id, jsonb_build_object('id', id, 'state', state, 'fireAt', fire_at, 'finishedAt', finished_at) as "lastRun"
    from ((select id, state, fire_at, finished_at from runs where schedule_id = s.id and trigger = 'schedule' order by fire_at desc limit 1)
      union all (select id, state, fire_at, finished_at from runs where schedule_id = s.id and trigger = 'backfill'
        order by fire_at desc limit 1)
      union all (select id, state, fire_at, finished_at from runs where s.kind = 'webhook' and schedule_id = s.id
        and trigger = 'webhook' order by id desc limit 1)) r order by fire_at desc limit 1) last on true`;

interface ScheduleRow extends TimetableRow {
  id: string;
  name: string;
  workflow: string;
  enabled: boolean;
  nextFireAt: Date | null;
  lastRun: { id: string; state: string; fireAt: string; finishedAt: string | null } | null;
}

const sortColumns: Record<string, SortColumn> = {
  workflow: { sql: "w.name || ' ' || s.name", type: 'text' },
  name: { sql: 's.name', type: 'text' },
  next: { sql: "coalesce(s.next_fire_at, 'infinity')", type: 'timestamptz' },
  zone: { sql: 's.zone', type: 'text' },
};

export interface ScheduleFilter {
  workflowId?: string | undefined;
  search?: string | undefined;
  enabled?: boolean | undefined;
  ids?: readonly string[] | undefined;
}

/** Takes the parameters of `filterValues` from $1 on. */
const filterCondition = `s.removed_at is null and ($1::uuid[] is null or s.project_id = any($1)) and ($2::uuid is null or s.workflow_id = $2)
  and ($3::text is null or position(lower($3) in lower(concat_ws(' ', w.name, s.name, s.cron, s.kind, s.zone))) > 0)
  and ($4::boolean is null or s.enabled = $4) and ($5::uuid[] is null or s.id = any($5))`;
const filterValues = ({ workflowId, search, enabled, ids }: ScheduleFilter, projects: VisibleProjects): unknown[] => [
  projects,
  workflowId ?? null,
  search ?? null,
  enabled ?? null,
  ids ?? null,
];

export async function listSchedules(sql: Sql, query: ScheduleQuery, projects: VisibleProjects): Promise<Page<ScheduleView>> {
  const kind = listKind('schedules', query);
  const order = listOrder(sortColumns, query.sort, { kind, cursor: query.cursor, id: 's.id' });
  const rows = await sql.query<ScheduleRow & { sortText: string }>(
    `select ${scheduleColumns}, ${order.select} as "sortText" ${scheduleFrom}
     where ${filterCondition} and ${order.after(6, 7)} order by ${order.orderBy} limit $8`,
    [...filterValues(query, projects), ...order.position, query.limit + 1],
  );
  return pageOfRows(
    rows,
    query.limit,
    kind,
    (row) => [row.sortText, row.id],
    ({ sortText: _, ...row }) => scheduleViewOf(row),
  );
}

export interface FoundSchedule {
  id: string;
  name: string;
  projectId: string;
  enabled: boolean;
}

/** Every schedule that a filter matches, in the order in which rows are locked. */
export async function findSchedules(sql: Sql, filter: ScheduleFilter, projects: VisibleProjects): Promise<FoundSchedule[]> {
  return await sql.query<FoundSchedule>(
    `select s.id, s.name, s.project_id as "projectId", s.enabled ${scheduleNames} where ${filterCondition} order by s.id`,
    filterValues(filter, projects),
  );
}

/** Throws not-found. */
export async function getSchedule(sql: Sql, id: string): Promise<ScheduleView> {
  const [row] = await sql.query<ScheduleRow>(`select ${scheduleColumns} ${scheduleFrom} where s.id = $1 and s.removed_at is null`, [id]);
  if (!row) throw noSuchSchedule();
  return scheduleViewOf(row);
}

export function noSuchSchedule(): AppError {
  return new AppError('not-found', phrase('no-such-schedule'));
}

/** What says when a schedule fires. Throws not-found. */
export async function readTimetableRow(sql: Sql, id: string): Promise<TimetableRow> {
  const [row] = await sql.query<TimetableRow>(`select ${timetableColumns} from schedules s where s.id = $1 and s.removed_at is null`, [id]);
  if (!row) throw noSuchSchedule();
  return row;
}

/** The stored next fire is the first of the list, so that what is shown is what will happen. */
function scheduleViewOf(row: ScheduleRow): ScheduleView {
  const following = row.nextFireAt ? firesAfter(timetableOfRow(row), row.nextFireAt.getTime(), SHOWN_FIRES - 1) : [];
  const fires = row.enabled && row.nextFireAt ? [row.nextFireAt.getTime(), ...following] : [];
  const { rule, starts, ends, ...shown } = row;
  const startRule = ruleOfRow(row);
  return {
    ...answerRow<ScheduleView>(shown),
    calendar: row.calendar?.name ?? null,
    rule: startRule.kind === 'webhook' ? null : startRule,
    start: starts,
    end: ends,
    lastRun: lastRunOf(row),
    nextFires: fires.map((at) => new Date(at).toISOString()),
  };
}

/** Postgres writes instants within JSON in a form of its own. */
function lastRunOf({ lastRun }: ScheduleRow): ScheduleView['lastRun'] {
  if (!lastRun) return null;
  const instant = (text: string) => new Date(text).toISOString();
  return {
    ...lastRun,
    fireAt: instant(lastRun.fireAt),
    finishedAt: lastRun.finishedAt && instant(lastRun.finishedAt),
  } as ScheduleView['lastRun'];
}

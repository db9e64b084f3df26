import type { UpstreamDatesView, UpstreamState } from '@medley/contracts';
import {
  AppError,
  addDays,
  localDate,
  phrase,
  type RunState,
  startOfDay,
  type UpstreamDate,
  type UpstreamNeed,
  upstreamDates,
} from '@medley/core';
import { type Sql, uuidv7LowerBound } from '@medley/database';
import type { VisibleProjects } from '../access/caller.js';
import { timetableColumns } from '../schedules/schedule-row.js';
import { noSuchSchedule } from '../schedules/schedules.repository.js';
import { needsOf, readFacts, type UpstreamRow, upstreamColumns } from './read-facts.js';

/** Of dates that have fired so many are told. */
const MOST_FIRED = 5;
/** Zones are up to 14 hours away: the runs of a day are looked for in a day more. */
const MARGIN_MS = 15 * 3_600_000;

interface ShownRow extends Omit<UpstreamRow, 'since'> {
  since: string | null;
}

interface NamedWorkflow {
  id: string;
  name: string;
  projectId: string;
  isRemoved: boolean;
}

interface StoredDate {
  day: string;
  isFired: boolean;
}

/** What is there and what is missing for each date that may still fire, to the one after today, and the last that have fired. Throws not-found and schedule-kind-wrong. */
export async function readUpstreamDates(sql: Sql, scheduleId: string, projects: VisibleProjects): Promise<UpstreamDatesView> {
  const row = await readRow(sql, scheduleId);
  const { since, zone } = row;
  if (since === null) return { zone, since, items: [] };
  const { facts, from, today } = await readFacts(sql, { ...row, since });
  const stored = await sql.query<StoredDate>(
    `select day::text as day, fired_at is not null as "isFired" from upstream_dates where schedule_id = $1 and day >= $2`,
    [scheduleId, from],
  );
  const state = new Map(stored.map(({ day, isFired }) => [day, isFired ? ('fired' as const) : ('ready' as const)]));
  const dates = upstreamDates(facts, from, addDays(today, 1));
  const fired = dates.filter(({ day }) => state.get(day) === 'fired').slice(-MOST_FIRED);
  const shown = dates.filter((date) => state.get(date.day) !== 'fired' || fired.includes(date));
  const workflows = await readWorkflows(sql, row.workflowIds);
  const needs = needsOf(row);
  const runs = await readMissingRuns(sql, row, shown, workflows, projects);
  const told = (date: UpstreamDate) =>
    date.needs.map((of, position): UpstreamState => {
      const workflow = workflows.get(row.workflowIds[position]!)!;
      const run = of.isThere || of.day === null ? undefined : runs.get(`${position} ${of.day}`);
      return {
        workflow: needs[position]!.workflow === null ? null : workflow.name,
        workflowId: isVisible(workflow, projects) ? workflow.id : null,
        isRemoved: workflow.isRemoved,
        day: of.day,
        isThere: of.isThere,
        hours: of.hours?.total ?? null,
        missingHours: (of.hours?.missing ?? []).map((ms) => new Date(ms).toISOString()),
        run: run ?? null,
      };
    });
  const items = shown.map((date) => ({
    day: date.day,
    fireAt: new Date(date.fireAtMs).toISOString(),
    state: state.get(date.day) ?? ('waiting' as const),
    needs: told(date),
  }));
  return { zone, since, items };
}

async function readRow(sql: Sql, id: string): Promise<ShownRow> {
  const [row] = await sql.query<ShownRow>(
    `select ${upstreamColumns}, ${timetableColumns} from schedules s left join upstream_counts c on c.schedule_id = s.id where s.id = $1 and s.removed_at is null`,
    [id],
  );
  if (!row) throw noSuchSchedule();
  if (row.kind !== 'upstream') throw new AppError('schedule-kind-wrong', phrase('schedule-not-of-upstreams'));
  return row;
}

async function readWorkflows(sql: Sql, ids: readonly string[]): Promise<Map<string, NamedWorkflow>> {
  const rows = await sql.query<NamedWorkflow>(
    `select w.id, regexp_replace(p.name, '~.*', '') || '/' || w.name as name, p.id as "projectId", p.removed_at is not null as "isRemoved"
     from workflows w join projects p on p.id = w.project_id where w.id = any($1)`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function isVisible({ projectId, isRemoved }: NamedWorkflow, projects: VisibleProjects): boolean {
  return !isRemoved && (projects === null || projects.includes(projectId));
}

type MissingRun = { id: string; state: RunState };

/** By position and date the newest run of what is missing. */
async function readMissingRuns(
  sql: Sql,
  row: ShownRow,
  dates: readonly UpstreamDate[],
  workflows: ReadonlyMap<string, NamedWorkflow>,
  projects: VisibleProjects,
): Promise<Map<string, MissingRun>> {
  const found = new Map<string, MissingRun>();
  for (const [position, need] of needsOf(row).entries()) {
    if (!isVisible(workflows.get(row.workflowIds[position]!)!, projects)) continue;
    const days = dates.flatMap(({ needs }) => (needs[position]!.isThere ? [] : (needs[position]!.day ?? []))).sort();
    if (days.length === 0) continue;
    for (const { id, state, fireAt, zone } of await readRuns(sql, row, position, need, [days[0]!, days.at(-1)!])) {
      const day = localDate(fireAt.getTime(), need.hours === null ? zone : row.zone);
      if (!found.has(`${position} ${day}`)) found.set(`${position} ${day}`, { id, state });
    }
  }
  return found;
}

/** Of hours only those that have not succeeded: they are what is missing. */
function readRuns(sql: Sql, row: ShownRow, position: number, need: UpstreamNeed, [first, last]: [string, string]) {
  const [fromMs, toMs] = [startOfDay(first, row.zone) - MARGIN_MS, startOfDay(addDays(last, 1), row.zone) + MARGIN_MS];
  return sql.query<MissingRun & { fireAt: Date; zone: string }>(
    `select r.id, r.state, r.fire_at as "fireAt", s.zone from schedules s
     cross join lateral (select id, state, fire_at from runs where schedule_id = s.id and id >= $5 and fire_at between $2 and $3 and state <> 'succeeded' order by id desc limit 200) r
     where s.workflow_id = $1 and ($4::uuid is null or s.id = $4) order by r.id desc limit 500`,
    [row.workflowIds[position], new Date(fromMs), new Date(toMs), need.workflow === null ? row.id : null, uuidv7LowerBound(fromMs)],
  );
}

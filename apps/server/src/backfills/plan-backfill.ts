import { BACKFILL_MAX, type BackfillPreview, type BackfillPreviewFire, type BackfillScope } from '@medley/contracts';
import { AppError, chooseFires, type FireRule, fieldError, firesInRange, type ParameterValues, phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import { parametersOf } from '../runs/create-runs.js';
import { localTime } from '../schedules/local-time.js';
import { timetableRuleOf } from '../schedules/next-fire.js';
import { type TimetableRow, timetableColumns, timetableOfRow } from '../schedules/schedule-row.js';
import type { WorkflowSpecs } from '../settlement/workflow-specs.js';
import { type BackfillRange, rangeOf } from './backfill-range.js';
import { readKnownFires, type StoredFire } from './known-fires.js';

/** Fires of the range that a preview lists. */
const MOST_SHOWN = 100;

interface ScheduleRow extends TimetableRow {
  id: string;
  projectId: string;
  workflowId: string;
  version: number;
  parameters: ParameterValues;
  now: Date;
}

export interface PlannedBackfill {
  schedule: ScheduleRow;
  range: BackfillRange;
  inRange: number[];
  known: Map<number, StoredFire>;
  /** Of those in range the ones to start, ascending. */
  chosen: number[];
}

/** Which fires of a schedule a backfill starts. Throws not-found, validation-failed for a range that cannot be, and parameter-invalid. */
export async function planBackfill(sql: Sql, specs: WorkflowSpecs, scheduleId: string, scope: BackfillScope): Promise<PlannedBackfill> {
  const schedule = await readSchedule(sql, scheduleId);
  const range = rangeOf(scope, schedule.zone, schedule.now.getTime());
  const inRange = firesInRange(ruleInPast(schedule), range.fromMs, range.toMs, BACKFILL_MAX);
  if (inRange === null) throw tooMany();
  const known = inRange.length === 0 ? new Map() : await readKnownFires(sql, scheduleId, inRange[0]!, inRange.at(-1)!);
  const chosen = chooseFires(inRange, known, scope.fires);
  await checkParameters(sql, specs, schedule, scope, chosen[0] ?? inRange[0] ?? range.fromMs);
  return { schedule, range, inRange, known, chosen };
}

/** What a fixed delay would have started depends on when its runs ended, so that there is nothing to fill in. */
function ruleInPast(schedule: ScheduleRow): FireRule {
  if (schedule.kind === 'webhook') throw new AppError('schedule-kind-wrong', phrase('schedule-without-fires'));
  if (schedule.kind === 'fixed-delay') throw new AppError('schedule-kind-wrong', phrase('fixed-delay-has-no-past'));
  return timetableRuleOf(timetableOfRow(schedule));
}

/** What is planned as a preview tells it. */
export function previewOf({ schedule, range, inRange, known, chosen }: PlannedBackfill): BackfillPreview {
  const included = new Set(chosen);
  const shown = inRange.slice(0, MOST_SHOWN).map((at): BackfillPreviewFire => {
    const fire = known.get(at);
    return {
      fireAt: instant(at),
      local: localTime(new Date(at), schedule.zone),
      included: included.has(at),
      runId: fire?.runId ?? null,
      runState: fire?.runState ?? null,
    };
  });
  const stored = inRange.flatMap((at) => known.get(at) ?? []);
  return {
    zone: schedule.zone,
    from: instant(range.fromMs),
    to: instant(range.toMs),
    workflowVersion: schedule.version,
    inRange: inRange.length,
    existing: stored.filter(({ begun }) => begun).length,
    succeeded: stored.filter(({ succeeded }) => succeeded).length,
    count: chosen.length,
    first: chosen.length > 0 ? instant(chosen[0]!) : null,
    last: chosen.length > 0 ? instant(chosen.at(-1)!) : null,
    shown,
    most: BACKFILL_MAX,
  };
}

function instant(atMs: number): string {
  return new Date(atMs).toISOString();
}

async function readSchedule(sql: Sql, id: string): Promise<ScheduleRow> {
  const [schedule] = await sql.query<ScheduleRow>(
    `select s.id, s.project_id as "projectId", s.workflow_id as "workflowId", w.latest_version as version, ${timetableColumns}, s.parameters, clock_timestamp() as now
     from schedules s join workflows w on w.id = s.workflow_id where s.id = $1 and s.removed_at is null`,
    [id],
  );
  if (!schedule) throw new AppError('not-found', phrase('no-such-schedule'));
  return schedule;
}

/** Told before anything is started: what is wrong with them is wrong for every fire. */
async function checkParameters(sql: Sql, specs: WorkflowSpecs, schedule: ScheduleRow, scope: BackfillScope, atMs: number): Promise<void> {
  const workflow = await specs.load(sql, schedule.workflowId, schedule.version);
  const parameters = { ...schedule.parameters, ...scope.parameters };
  parametersOf(
    { schedule: { id: schedule.id, fireAt: new Date(atMs), zone: schedule.zone }, parameters, parametersAreTemplates: true },
    workflow,
    schedule.id,
  );
}

function tooMany(): AppError {
  const text = phrase('backfill-too-large', { limit: BACKFILL_MAX });
  return new AppError('validation-failed', text, [fieldError('to', text)]);
}

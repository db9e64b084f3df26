import type { ApplyChange, ScheduleSpec } from '@medley/contracts';
import type { StartRule } from '@medley/core';
import { type Sql, uuidv7 } from '@medley/database';
import { nextFireAt } from '../schedules/next-fire.js';
import { type RuleColumns, rowOfRule, ruleOfRow } from '../schedules/schedule-row.js';
import { change, differingPaths } from './workflow-diff.js';

interface StoredSchedule extends RuleColumns {
  id: string;
  name: string;
  zone: string;
  parameters: Record<string, unknown>;
  misfire: Record<string, unknown>;
  enabled: boolean;
}

interface ScheduleOwner {
  projectId: string;
  workflowId: string;
}

type PlannedSchedule = { stored: StoredSchedule | null; wanted: ScheduleSpec | null; change: ApplyChange };

/** What a file's schedules change in those that are stored. One that the file no longer names stays, unless it is to be pruned. */
export async function planSchedules(
  sql: Sql,
  workflowId: string | null,
  wanted: readonly ScheduleSpec[],
  prune: boolean,
): Promise<PlannedSchedule[]> {
  const stored = await sql.query<StoredSchedule>(
    'select id, name, kind, cron, rule, zone, parameters, misfire, enabled from schedules where workflow_id = $1 and removed_at is null order by id for update',
    [workflowId],
  );
  const byName = new Map(stored.map((schedule) => [schedule.name, schedule]));
  const named = wanted.map((schedule) => planOne(byName.get(schedule.name) ?? null, schedule));
  const unnamed = stored.filter(({ name }) => !wanted.some((schedule) => schedule.name === name));
  return [...named, ...unnamed.map((schedule) => planUnnamed(schedule, prune))];
}

function planOne(stored: StoredSchedule | null, wanted: ScheduleSpec): PlannedSchedule {
  if (!stored) return { stored, wanted, change: change('schedule', wanted.name, 'create') };
  const { rule, zone, parameters, misfire } = wanted;
  const before = { ...ruleOfRow(stored), zone: stored.zone, parameters: stored.parameters, misfire: stored.misfire };
  const paths = differingPaths(before, { ...rule, zone, parameters, misfire });
  return { stored, wanted, change: change('schedule', wanted.name, paths.length > 0 ? 'update' : 'unchanged', paths) };
}

function planUnnamed(stored: StoredSchedule, prune: boolean): PlannedSchedule {
  const note = 'the file does not name it any more; apply with prune to remove it';
  return {
    stored,
    wanted: null,
    change: prune ? change('schedule', stored.name, 'remove') : change('schedule', stored.name, 'left', [], note),
  };
}

/**
 * Writes what was planned and returns the schedules that changed. Whether a schedule is enabled is the operator's: a file decides it only for a new one. A
 * new or changed rule fires strictly after now.
 */
export async function writeSchedules(sql: Sql, owner: ScheduleOwner, planned: readonly PlannedSchedule[]): Promise<string[]> {
  const [clock] = await sql.query<{ now: Date }>('select clock_timestamp() as now');
  const written: string[] = [];
  for (const { stored, wanted, change: planning } of planned) {
    if (planning.action === 'create') written.push(await insertSchedule(sql, owner, wanted!, clock!.now));
    if (planning.action === 'update') written.push(await updateSchedule(sql, stored!, wanted!, clock!.now));
    if (planning.action === 'remove') written.push(await removeSchedule(sql, stored!.id));
  }
  return written;
}

async function insertSchedule(sql: Sql, { projectId, workflowId }: ScheduleOwner, wanted: ScheduleSpec, now: Date): Promise<string> {
  const id = uuidv7();
  const { name, zone, parameters, misfire, enabled } = wanted;
  const { kind, cron, rule } = rowOfRule(wanted.rule);
  await sql.query(
    `insert into schedules (id, project_id, workflow_id, name, cron, zone, parameters, misfire, enabled, next_fire_at, kind, rule)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      id,
      projectId,
      workflowId,
      name,
      cron,
      zone,
      JSON.stringify(parameters),
      JSON.stringify(misfire),
      enabled,
      enabled ? firstFire(wanted.rule, zone, now) : null,
      kind,
      JSON.stringify(rule),
    ],
  );
  return id;
}

async function updateSchedule(
  sql: Sql,
  stored: StoredSchedule,
  { rule: wantedRule, zone, parameters, misfire }: ScheduleSpec,
  now: Date,
): Promise<string> {
  const { kind, cron, rule } = rowOfRule(wantedRule);
  const ruleChanged = zone !== stored.zone || differingPaths(ruleOfRow(stored), wantedRule).length > 0;
  const next = stored.enabled ? firstFire(wantedRule, zone, now) : null;
  await sql.query(
    `update schedules set cron = $2, zone = $3, parameters = $4, misfire = $5, updated_at = clock_timestamp(),
       next_fire_at = case when $6 then $7 else next_fire_at end, kind = $8, rule = $9
     where id = $1`,
    [stored.id, cron, zone, JSON.stringify(parameters), JSON.stringify(misfire), ruleChanged, next, kind, JSON.stringify(rule)],
  );
  return stored.id;
}

/** Null for what no clock starts. */
function firstFire(rule: StartRule, zone: string, now: Date): Date | null {
  return rule.kind === 'cron' ? nextFireAt(rule.cron, zone, now) : null;
}

async function removeSchedule(sql: Sql, id: string): Promise<string> {
  await sql.query(
    'update schedules set removed_at = clock_timestamp(), updated_at = clock_timestamp(), enabled = false, next_fire_at = null where id = $1',
    [id],
  );
  return id;
}

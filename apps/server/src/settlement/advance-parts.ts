import { phrase, type TaskRunState } from '@medley/core';
import { roundTrip, type Sql } from '@medley/database';
import { areOutputsNamed, gatherOutputs } from './gather-outputs.js';
import { groupBy } from './group-by.js';
import { isStopped } from './run-stops.js';
import type { EndedTask, LockedRun, Settled } from './settlement.types.js';
import type { WorkflowSpecs } from './workflow-specs.js';

/** What follows from instances that ended: parents that end with their last one, instances whose turn it is, and how many never begin. */
export interface AdvancedParts {
  parents: EndedTask[];
  readied: Settled['readied'];
  skipped: number;
}

export interface PartCounts {
  total: number;
  /** The first item that has not had its turn: those before it have begun, or ended without. */
  begun: number;
  ended: number;
  failed: number;
  cancelled: number;
}

interface PartsOf {
  parentId: string;
  position: number;
}

const countStatement = `
update task_parts set ended = ended + $2, failed = failed + $3, cancelled = cancelled + $4 where task_run_id = $1
returning total, begun, ended, failed, cancelled`;

/** The run's row is locked, so that its instances are counted one transaction after the other. */
export async function advanceParts(sql: Sql, run: LockedRun, specs: WorkflowSpecs, parts: readonly EndedTask[]): Promise<AdvancedParts> {
  const advanced: AdvancedParts = { parents: [], readied: [], skipped: 0 };
  if (parts.length === 0) return advanced;
  const workflow = await specs.load(sql, run.workflowId, run.workflowVersion);
  for (const [parentId, ended] of groupBy(parts, (part) => part.parentId!)) {
    const count = (state: TaskRunState) => ended.filter((part) => part.state === state).length;
    const [counts] = await sql.query<PartCounts>(countStatement, [parentId, ended.length, count('failed'), count('cancelled')]);
    if (!counts) continue;
    const { key } = ended[0]!;
    if (workflow.task(key).loop) {
      advanced.readied.push(await lookAtLoop(sql, run, parentId));
      continue;
    }
    const stops = workflow.task(key).map?.onFailure === 'stop' && counts.failed > 0;
    if (stops) advanced.skipped += await skipRest(sql, run, { parentId, position: workflow.positionOf(key) }, counts);
    else if (counts.begun < counts.total && !isStopped(run, workflow.task(key)))
      advanced.readied.push(...(await readyNext(sql, run, { parentId, position: workflow.positionOf(key) }, counts, placesOf(ended))));
    if (counts.ended >= counts.total) advanced.parents.push(...(await endParent(sql, run, parentId, key, counts)));
  }
  return advanced;
}

/** Whether a repeated task goes on depends on an expression, which is evaluated where a fault in it harms nothing else. */
async function lookAtLoop(sql: Sql, run: LockedRun, parentId: string): Promise<Settled['readied'][number]> {
  await sql.query(`update task_runs set next_look_at = clock_timestamp() where id = $1 and state = 'running'`, [parentId]);
  return { runId: run.id, taskRunId: parentId, unplaced: true };
}

const skippedReason = JSON.stringify({ code: 'map-stopped', text: 'It never began: an earlier item failed.' });

async function skipRest(sql: Sql, run: LockedRun, { parentId, position }: PartsOf, counts: PartCounts): Promise<number> {
  const [rows] = await roundTrip([
    sql.query<{ id: string }>(
      `update task_runs set state = 'skipped', finished_at = clock_timestamp(), reason = $3
       where run_id = $1 and position = $2 and item >= 0 and state = 'waiting' returning id`,
      [run.id, position, skippedReason],
    ),
    sql.query(`update task_parts set begun = total where task_run_id = $1`, [parentId]),
  ]);
  counts.begun = counts.total;
  counts.ended += rows.length;
  await sql.query('update task_parts set ended = $2 where task_run_id = $1', [parentId, counts.ended]);
  return rows.length;
}

/** How many places among those that may run at once became free: what ended without having begun had none. */
function placesOf(ended: readonly EndedTask[]): number {
  return ended.filter(({ hadBegun = true }) => hadBegun).length;
}

/** As many as places became free, in the order of the items, past those that ended before their turn; in a paused run they wait until it goes on. */
async function readyNext(
  sql: Sql,
  run: LockedRun,
  { parentId, position }: PartsOf,
  { begun }: PartCounts,
  places: number,
): Promise<Settled['readied']> {
  if (places === 0) return [];
  const rows = await sql.query<{ id: string; unplaced: boolean }>(
    `with next as (
       select id, item from task_runs where run_id = $1 and position = $2 and item >= $3 and state = 'waiting' order by item limit $4
     ), begun as (
       update task_parts p set begun = coalesce((select max(item) + 1 from next), p.total) where p.task_run_id = $6
     )
     update task_runs t set state = $5, ready_at = clock_timestamp() from next n where t.id = n.id returning t.id, t.pool_id is null as unplaced`,
    [run.id, position, begun, places, run.state === 'paused' ? 'paused' : 'ready', parentId],
  );
  if (run.state === 'paused') return [];
  return rows.map(({ id, unplaced }) => ({ runId: run.id, taskRunId: id, unplaced }));
}

/** How a task ends whose instances have all ended. */
export function endOfParts({ total, failed, cancelled }: PartCounts): {
  state: 'succeeded' | 'failed' | 'cancelled';
  reason: object | null;
} {
  if (failed > 0) {
    const text = `${failed} of its ${total} items failed.`;
    return { state: 'failed', reason: { code: 'items-failed', text, values: { failed, total } } };
  }
  if (cancelled > 0)
    return { state: 'cancelled', reason: { code: 'cancelled', text: 'the run was cancelled', explanation: phrase('run-was-cancelled') } };
  return { state: 'succeeded', reason: null };
}

export async function endParent(sql: Sql, run: LockedRun, id: string, key: string, counts: PartCounts): Promise<EndedTask[]> {
  const byItems = endOfParts(counts);
  const tooMuch = await gatherOutputs(sql, id);
  if (tooMuch === null || byItems.state !== 'succeeded') return writeEnd(sql, run, id, key, byItems);
  return writeEnd(sql, run, id, key, { state: (await areOutputsNamed(sql, id)) ? 'failed' : 'succeeded', reason: tooMuch });
}

async function writeEnd(
  sql: Sql,
  run: LockedRun,
  id: string,
  key: string,
  { state, reason }: { state: EndedTask['state']; reason: object | null },
): Promise<EndedTask[]> {
  const rows = await sql.query<{ id: string }>(
    `update task_runs set state = $2, reason = $3, finished_at = clock_timestamp(), next_look_at = null where id = $1 and state = 'running' returning id`,
    [id, state, reason === null ? null : JSON.stringify(reason)],
  );
  return rows.length === 0 ? [] : [{ run, taskRunId: id, key, state }];
}

/**
 * Counts the instances of a run's open parents anew, where something ended them past the counters, and ends the parents that have none left. Returns those.
 */
export async function recountParts(sql: Sql, run: LockedRun): Promise<EndedTask[]> {
  const rows = await sql.query<PartCounts & { id: string; key: string; at_most: number | null }>(
    `with counted as (
       select t.id, t.task_key, coalesce(min(i.item) filter (where i.state = 'waiting'), count(*))::int as begun,
         count(i.finished_at)::int as ended, count(*) filter (where i.state = 'failed')::int as failed,
         count(*) filter (where i.state = 'cancelled')::int as cancelled
       from task_runs t join task_runs i on i.run_id = t.run_id and i.position = t.position and i.item >= 0
       where t.run_id = $1 and t.item = -1 and t.pool_id is null and t.state = 'running' group by t.id, t.task_key
     )
     update task_parts p set begun = c.begun, ended = c.ended, failed = c.failed, cancelled = c.cancelled
     from counted c where p.task_run_id = c.id returning c.id, c.task_key as key, p.total, p.begun, p.ended, p.failed, p.cancelled, p.at_most`,
    [run.id],
  );
  const ended: EndedTask[] = [];
  for (const { id, key, at_most, ...counts } of rows) {
    if (counts.ended < counts.total) continue;
    const isLoop = at_most !== null;
    if (isLoop && counts.cancelled === 0) await lookAtLoop(sql, run, id);
    else if (isLoop) ended.push(...(await writeEnd(sql, run, id, key, endOfParts(counts))));
    else ended.push(...(await endParent(sql, run, id, key, counts)));
  }
  return ended;
}

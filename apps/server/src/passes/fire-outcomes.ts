import { type ActiveRuns, decideOverlap, jitterMs, type OverlapDecision } from '@medley/core';
import type { Sql } from '@medley/database';
import type { CreatedRuns } from '../runs/create-runs.js';
import type { DueRow } from './fire-claims.js';
import type { PlannedFires } from './fire-planner.js';

/** A due schedule with what becomes of it. */
export interface PlannedSchedule {
  row: DueRow;
  plan: PlannedFires;
  decision: OverlapDecision;
}

const noRuns: ActiveRuns = { runIds: [], waitingRunId: null };

/** A fixed delay has no run besides the one it waits for. */
export function decide(row: DueRow, plan: PlannedFires, active: ActiveRuns = noRuns): PlannedSchedule {
  const policy = row.kind === 'fixed-delay' ? 'allow' : row.overlap;
  const runs = row.kind === 'fixed-delay' ? noRuns : active;
  return { row, plan, decision: decideOverlap({ policy, fireAtMs: plan.fireAtMs, active: runs, wereHeld: row.held_from !== null }) };
}

interface Outcome {
  id: string;
  nextMs: number | null;
  delayedMs: number | null;
  heldBy: string | null;
  heldFromMs: number | null;
  passedOver: { fireAt: string; runId: string } | null;
}

/** What is stored for a schedule whose fires were started: when it fires next, or which run it waits for. `startedRunId` is the latest of those it started. */
export function outcomeOf({ row, plan, decision }: PlannedSchedule, startedRunId: string | null, active: ActiveRuns = noRuns): Outcome {
  const { heldFromMs, heldByRunId, passedOverMs } = decision;
  const [activeRunId] = active.runIds;
  const passedOver = passedOverMs === null || !activeRunId ? null : { fireAt: new Date(passedOverMs).toISOString(), runId: activeRunId };
  const common = { id: row.id, delayedMs: null, passedOver };
  if (heldFromMs !== null) return { ...common, nextMs: heldFromMs, heldBy: heldByRunId ?? startedRunId, heldFromMs };
  if (row.kind === 'fixed-delay' && startedRunId !== null) return { ...common, nextMs: null, heldBy: startedRunId, heldFromMs: null };
  const nextMs = plan.nextFireAtMs;
  const delay = nextMs === null || row.jitter_seconds === 0 ? null : nextMs + jitterMs(row.id, nextMs, row.jitter_seconds);
  return { ...common, nextMs, delayedMs: delay, heldBy: null, heldFromMs: null };
}

/** By schedule the latest run that was created for it. */
export function startedRuns({ created }: CreatedRuns): Map<string, string> {
  return new Map(created.flatMap(({ id, scheduleId }) => (scheduleId === null ? [] : [[scheduleId, id]])));
}

export async function storeOutcomes(sql: Sql, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  const column = <Value>(value: (each: Outcome) => Value) => outcomes.map(value);
  await sql.query(
    `update schedules s set next_fire_at = to_timestamp(f.next / 1000.0), delayed_until = to_timestamp(f.delayed / 1000.0), held_by_run_id = f.held_by,
       held_from = to_timestamp(f.held_from / 1000.0), passed_over = coalesce(f.passed_over, s.passed_over)
     from unnest($1::uuid[], $2::float8[], $3::float8[], $4::uuid[], $5::float8[], $6::jsonb[]) as f(id, next, delayed, held_by, held_from, passed_over)
     where s.id = f.id`,
    [
      column(({ id }) => id),
      column(({ nextMs }) => nextMs),
      column(({ delayedMs }) => delayedMs),
      column(({ heldBy }) => heldBy),
      column(({ heldFromMs }) => heldFromMs),
      column(({ passedOver }) => (passedOver === null ? null : JSON.stringify(passedOver))),
    ],
  );
}

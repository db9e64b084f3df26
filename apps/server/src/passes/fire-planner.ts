import { type FirePlan, type MisfirePolicy, maxHeldFires, planFires, readTimetable, type TimetableRule } from '@medley/core';
import { type TimetableRow, timetableKey, timetableOfRow } from '../schedules/schedule-row.js';

export interface ScheduleToPlan extends TimetableRow {
  misfire: MisfirePolicy;
  nextFireAtMs: number;
  /** How far jitter moves the fire that is due: for this schedule it is so much earlier. */
  jitterMs: number;
  heldFromMs: number | null;
}

export type PlannedFires = Pick<FirePlan, 'fireAtMs' | 'nextFireAtMs'>;

/** A fire that is later than this was missed. */
const ON_TIME_SECONDS = 60;
const MAX_RULES = 5000;

/**
 * Plans due schedules. Reading an expression costs several times as much as asking for its next fire, so what was read is kept; and of the many schedules that
 * come due together most have a rule in common, so equal ones are planned once.
 */
export class FirePlanner {
  private readonly rules = new Map<string, TimetableRule | null>();

  /** The plans in the order of the schedules. One whose rule cannot be read any more is put to rest: only a changed zone database can do this. */
  planAll(schedules: readonly ScheduleToPlan[], nowMs: number): PlannedFires[] {
    const plans = new Map<string, PlannedFires>();
    return schedules.map((schedule) => {
      const { nextFireAtMs, jitterMs, heldFromMs, misfire } = schedule;
      const key = JSON.stringify([timetableKey(schedule), nextFireAtMs, jitterMs, heldFromMs, misfire.policy, misfire.max]);
      const plan = plans.get(key) ?? this.plan(schedule, nowMs);
      plans.set(key, plan);
      return plan;
    });
  }

  /** The first fire strictly after an instant; null when none ever comes. */
  nextAfter(schedule: TimetableRow, instantMs: number): number | null {
    return this.ruleOf(schedule)?.nextAfter(instantMs) ?? null;
  }

  private plan(schedule: ScheduleToPlan, nowMs: number): PlannedFires {
    const rule = this.ruleOf(schedule);
    if (rule === null) return { fireAtMs: [], nextFireAtMs: null };
    const { nextFireAtMs, heldFromMs, misfire: policy } = schedule;
    if (schedule.kind === 'upstream') return { fireAtMs: [], nextFireAtMs: null }; // its dates are planned beside
    if (schedule.kind === 'fixed-delay') return planDelayed(rule, schedule, nowMs);
    const due = { rule, nextFireAtMs, nowMs: nowMs - schedule.jitterMs, policy, onTimeSeconds: ON_TIME_SECONDS, heldFromMs };
    return planFires(due);
  }

  private ruleOf(schedule: TimetableRow): TimetableRule | null {
    const key = timetableKey(schedule);
    const known = this.rules.get(key);
    if (known !== undefined) return known;
    const read = readTimetable(timetableOfRow(schedule));
    const rule = read.ok ? read.rule : null;
    this.rules.set(key, rule);
    if (this.rules.size > MAX_RULES) this.rules.delete(this.rules.keys().next().value!);
    return rule;
  }
}

/** Of dates whose upstreams are there, those that have begun: they are late, but never missed. */
export function planReadyDates(readyMs: readonly number[], nowMs: number): PlannedFires {
  const fireAtMs = readyMs.filter((at) => at <= nowMs).slice(0, maxHeldFires);
  return { fireAtMs, nextFireAtMs: readyMs[fireAtMs.length] ?? null };
}

/** One fire at a time: the next one is known when the run has ended. Missed, it happens late, or by `skip` after one more pause. */
function planDelayed(rule: TimetableRule, { nextFireAtMs, jitterMs, misfire }: ScheduleToPlan, nowMs: number): PlannedFires {
  const isMissed = nowMs - jitterMs - nextFireAtMs > ON_TIME_SECONDS * 1000;
  if (isMissed && misfire.policy === 'skip') return { fireAtMs: [], nextFireAtMs: rule.nextAfter(nowMs) };
  return { fireAtMs: [nextFireAtMs], nextFireAtMs: null };
}

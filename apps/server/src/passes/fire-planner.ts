import { type CronRule, type FirePlan, type MisfirePolicy, parseCron, planFires } from '@medley/core';

export interface ScheduleToPlan {
  cron: string;
  zone: string;
  misfire: MisfirePolicy;
  nextFireAtMs: number;
}

/** A schedule is planned this little early, so that its run is committed at its fire time and not a round trip later. */
const ON_TIME_SECONDS = 60;
const MAX_RULES = 5000;

/**
 * Plans due schedules. Reading an expression costs several times as much as asking for its next fire, so what was read is kept; and of the many schedules that
 * come due together most have a rule in common, so equal ones are planned once.
 */
export class FirePlanner {
  private readonly rules = new Map<string, CronRule | null>();

  /** The plans in the order of the schedules. One whose cron cannot be read any more is put to rest: only a changed zone database can do this. */
  planAll(schedules: readonly ScheduleToPlan[], nowMs: number): Pick<FirePlan, 'fireAtMs' | 'nextFireAtMs'>[] {
    const plans = new Map<string, Pick<FirePlan, 'fireAtMs' | 'nextFireAtMs'>>();
    return schedules.map((schedule) => {
      const key = JSON.stringify([schedule.cron, schedule.zone, schedule.nextFireAtMs, schedule.misfire.policy, schedule.misfire.max]);
      const plan = plans.get(key) ?? this.plan(schedule, nowMs);
      plans.set(key, plan);
      return plan;
    });
  }

  private plan({ cron, zone, misfire, nextFireAtMs }: ScheduleToPlan, nowMs: number): Pick<FirePlan, 'fireAtMs' | 'nextFireAtMs'> {
    const rule = this.ruleOf(cron, zone);
    if (rule === null) return { fireAtMs: [], nextFireAtMs: null };
    return planFires({ rule, nextFireAtMs, nowMs, policy: misfire, onTimeSeconds: ON_TIME_SECONDS });
  }

  private ruleOf(cron: string, zone: string): CronRule | null {
    const key = `${zone} ${cron}`;
    const known = this.rules.get(key);
    if (known !== undefined) return known;
    const parsed = parseCron(cron, zone);
    const rule = parsed.ok ? parsed.rule : null;
    this.rules.set(key, rule);
    if (this.rules.size > MAX_RULES) this.rules.delete(this.rules.keys().next().value!);
    return rule;
  }
}

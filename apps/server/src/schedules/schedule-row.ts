import type { CronDialect, CronTiming, GapPolicy, OverlapHourPolicy, ScheduleKind, ScheduleRule } from '@medley/core';

/** How the columns `kind`, `cron` and `rule` of a schedule hold its rule: the expression alone stands in `cron`, and what is as usual stands nowhere. */
export interface RuleColumns {
  kind: ScheduleKind;
  cron: string | null;
  rule: StoredRule;
}

interface StoredRule {
  dialect?: CronDialect;
  gap?: GapPolicy;
  overlapHour?: OverlapHourPolicy;
  seconds?: number;
  at?: string;
}

/** The rule that the columns of a row hold. */
export function ruleOfRow({ kind, cron, rule }: RuleColumns): ScheduleRule {
  if (kind === 'cron') return cronTiming(cron!, rule);
  return { kind, ...rule } as ScheduleRule;
}

function cronTiming(cron: string, { dialect = 'unix', gap, overlapHour }: StoredRule): CronTiming {
  return { kind: 'cron', cron, dialect, gap: gap ?? null, overlapHour: overlapHour ?? null };
}

/** The columns of a rule. */
export function rowOfRule(rule: ScheduleRule): RuleColumns {
  if (rule.kind !== 'cron') {
    const { kind, ...rest } = rule;
    return { kind, cron: null, rule: rest };
  }
  const { dialect, gap, overlapHour } = rule;
  return {
    kind: 'cron',
    cron: rule.cron,
    rule: {
      ...(dialect === 'unix' ? {} : { dialect }),
      ...(gap === null ? {} : { gap }),
      ...(overlapHour === null ? {} : { overlapHour }),
    },
  };
}

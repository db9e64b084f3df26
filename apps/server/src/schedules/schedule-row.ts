import type { CronDialect, CronTiming, GapPolicy, OverlapHourPolicy, StartKind, StartRule, Timetable } from '@medley/core';

/** How the columns `kind`, `cron` and `rule` of a schedule hold its rule: the expression alone stands in `cron`, and what is as usual stands nowhere. */
export interface RuleColumns {
  kind: StartKind;
  cron: string | null;
  rule: StoredRule;
}

interface StoredRule {
  dialect?: CronDialect;
  gap?: GapPolicy;
  overlapHour?: OverlapHourPolicy;
  seconds?: number;
  at?: string;
  payload?: Record<string, string> | null;
  perMinute?: number;
  toleranceSeconds?: number;
}

export interface TimetableRow extends RuleColumns {
  zone: string;
  starts: string | null;
  ends: string | null;
}

/** Of `schedules s`, for a `TimetableRow`. */
export const timetableColumns = 's.kind, s.cron, s.rule, s.zone, s.starts, s.ends';

/** The timetable of a row. */
export function timetableOfRow({ zone, starts, ends, ...columns }: TimetableRow): Timetable {
  return { rule: ruleOfRow(columns), zone, start: starts, end: ends, calendar: null };
}

/** The rule that the columns of a row hold. */
export function ruleOfRow({ kind, cron, rule }: RuleColumns): StartRule {
  if (kind === 'cron') return cronTiming(cron!, rule);
  return { kind, ...rule } as StartRule;
}

function cronTiming(cron: string, { dialect = 'unix', gap, overlapHour }: StoredRule): CronTiming {
  return { kind: 'cron', cron, dialect, gap: gap ?? null, overlapHour: overlapHour ?? null };
}

/** The columns of a rule. */
export function rowOfRule(rule: StartRule): RuleColumns {
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

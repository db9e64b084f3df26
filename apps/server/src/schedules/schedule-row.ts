import type {
  CalendarDays,
  CronDialect,
  CronTiming,
  GapPolicy,
  OverlapHourPolicy,
  StartKind,
  StartRule,
  Timetable,
  UpstreamNeed,
} from '@medley/core';

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
  upstreams?: UpstreamNeed[];
}

/** Days by yyyy-mm-dd with their names. The id and the version together say what is in it. */
export interface CalendarOfRow {
  id: string;
  version: number;
  name: string;
  weekend: number[];
  excluded: Record<string, string>;
  working: Record<string, string>;
}

export interface TimetableRow extends RuleColumns {
  zone: string;
  starts: string | null;
  ends: string | null;
  calendar: CalendarOfRow | null;
}

/** Of `schedules s`, for a `TimetableRow`. */
export const timetableColumns = `s.kind, s.cron, s.rule, s.zone, s.starts, s.ends, (select jsonb_build_object('id', c.id, 'version', c.version, 'name', c.name,
  'weekend', c.weekend, 'excluded', c.excluded, 'working', c.working) from calendars c where c.id = s.calendar_id) as calendar`;

/** The timetable of a row. */
export function timetableOfRow({ zone, starts, ends, calendar, ...columns }: TimetableRow): Timetable {
  return { rule: ruleOfRow(columns), zone, start: starts, end: ends, calendar: calendar && calendarDays(calendar) };
}

/** The days of a stored calendar. */
export function calendarDays({ weekend, excluded, working }: Pick<CalendarOfRow, 'weekend' | 'excluded' | 'working'>): CalendarDays {
  return { weekend, excluded: new Map(Object.entries(excluded)), working: new Map(Object.entries(working)) };
}

/** What is the same for equal timetables, and for no others. */
export function timetableKey({ kind, cron, rule, zone, starts, ends, calendar }: TimetableRow): string {
  return JSON.stringify([kind, cron, rule, zone, starts, ends, calendar?.id, calendar?.version]);
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

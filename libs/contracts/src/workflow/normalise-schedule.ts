import type { MisfirePolicy, ScheduleRule, StartRule, Timetable, UpstreamNeed, Webhook } from '@medley/core';
import { parseDuration } from '../resources/index.js';
import type { ScheduleDefinition, TimetableDefinition, UpstreamDefinition, WebhookDefinition } from './schema/schedule.schema.js';
import type { ScheduleSpec } from './spec.js';

/** The keys of which a schedule has exactly one. */
export const ruleKeys = ['cron', 'fixedRate', 'fixedDelay', 'at', 'upstream', 'webhook'] as const;

const defaultMadeUpFires = 10;
const defaultDeliveriesPerMinute = 60;
const defaultToleranceSeconds = 300;

/** The rule that the keys say; null when there is none. */
export function ruleOf({ cron, dialect, gap, overlapHour, fixedRate, fixedDelay, at, upstream }: TimetableDefinition): ScheduleRule | null {
  if (cron !== undefined) {
    const expression = cron.trim().split(/\s+/).join(' ');
    return { kind: 'cron', cron: expression, dialect: dialect ?? 'unix', gap: gap ?? null, overlapHour: overlapHour ?? null };
  }
  if (fixedRate !== undefined) return { kind: 'fixed-rate', seconds: parseDuration(fixedRate) ?? 0 };
  if (fixedDelay !== undefined) return { kind: 'fixed-delay', seconds: parseDuration(fixedDelay) ?? 0 };
  if (upstream !== undefined) return { kind: 'upstream', upstreams: upstream.map(needOf) };
  return at === undefined ? null : { kind: 'one-shot', at };
}

/** Its own run is that of its date before, unless it says otherwise. */
function needOf({ workflow, day, hours }: UpstreamDefinition): UpstreamNeed {
  if (workflow === undefined) return { project: null, workflow: null, day: day ?? -1, hours: null };
  const [name, project] = workflow.split('/').reverse();
  return { project: project ?? null, workflow: name!, day: day ?? 0, hours: hours ?? null };
}

/** The timetable that the keys say, on every day: what the calendar they name says is known to its project only. Null without a rule. */
export function timetableOf(definition: TimetableDefinition): Timetable | null {
  const rule = ruleOf(definition);
  const { zone = 'UTC', start = null, end = null } = definition;
  return rule && { rule, zone, start, end, calendar: null };
}

/** What was to happen once happens late rather than never; anything else has a next time. */
export function defaultMisfire(rule: StartRule | null): MisfirePolicy['policy'] {
  return rule?.kind === 'one-shot' ? 'run-once' : 'skip';
}

/** Resolves a valid schedule. */
export function normaliseSchedule(name: string, schedule: ScheduleDefinition): ScheduleSpec {
  const rule = startRuleOf(schedule);
  return {
    name,
    rule,
    zone: schedule.zone ?? 'UTC',
    calendar: schedule.calendar ?? null,
    start: schedule.start ?? null,
    end: schedule.end ?? null,
    jitterSeconds: schedule.jitter === undefined ? 0 : (parseDuration(schedule.jitter) ?? 0),
    overlap: schedule.overlap ?? 'allow',
    parameters: schedule.parameters ?? {},
    misfire: { policy: schedule.misfire?.policy ?? defaultMisfire(rule), max: schedule.misfire?.max ?? defaultMadeUpFires },
    enabled: schedule.enabled ?? true,
  };
}

/** A valid schedule has one rule. */
function startRuleOf({ webhook, ...timetable }: ScheduleDefinition): StartRule {
  return webhook === undefined ? ruleOf(timetable)! : webhookOf(webhook);
}

function webhookOf({ payload, perMinute, tolerance }: WebhookDefinition): Webhook {
  return {
    kind: 'webhook',
    payload: payload ?? null,
    perMinute: perMinute ?? defaultDeliveriesPerMinute,
    toleranceSeconds: tolerance === undefined ? defaultToleranceSeconds : (parseDuration(tolerance) ?? defaultToleranceSeconds),
  };
}

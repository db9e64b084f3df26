import { defaultMisfire, type ScheduleDefinition, type TimetableDefinition } from '@medley/contracts';
import {
  checkValue,
  type OverlapPolicy,
  type ParameterDeclaration,
  type ParameterDeclarations,
  type ParameterValue,
  type Phrase,
} from '@medley/core';
import { editYaml, type YamlEdit } from '../../editor/yaml-edit.js';
import { editsBetween } from '../workflows/task-draft.js';
import { type CronPlan, cronOf, planOf } from './cron-plan.js';
import { draftOfUpstreams, type UpstreamDraft, upstreamAsWritten, upstreamsOf } from './upstream-draft.js';
import { draftOfWebhook, type WebhookDraft, webhookAsWritten } from './webhook-draft.js';

export type RuleKey = 'cron' | 'fixedRate' | 'fixedDelay' | 'at' | 'upstream' | 'webhook';

/** A schedule as the form holds it. A parameter that is not among `parameters` takes its default; a value stands as text, a list one item a line. */
export interface ScheduleDraft {
  name: string;
  /** The key that says when it fires. */
  rule: RuleKey;
  plan: CronPlan;
  dialect: 'unix' | 'quartz';
  /** Empty where it is as usual for the expression. */
  gap: '' | 'shift' | 'skip';
  overlapHour: '' | 'once' | 'twice';
  /** Of a fixed rate or delay. */
  period: string;
  at: string;
  upstream: UpstreamDraft[];
  webhook: WebhookDraft;
  zone: string;
  /** The name of a calendar of the project; empty for every day. */
  calendar: string;
  /** These three are empty when there is none. */
  start: string;
  end: string;
  jitter: string;
  overlap: OverlapPolicy;
  parameters: Record<string, string>;
  misfirePolicy: 'skip' | 'run-once' | 'run-all';
  misfireMax: number;
}

export function draftOfSchedule(name: string, schedule: ScheduleDefinition | undefined, zone: string): ScheduleDraft {
  const given = Object.entries(schedule?.parameters ?? {});
  return {
    name,
    rule: (['fixedRate', 'fixedDelay', 'at', 'upstream', 'webhook'] as const).find((key) => schedule?.[key] !== undefined) ?? 'cron',
    plan: planOf(schedule?.cron ?? '30 2 * * *', schedule?.dialect),
    dialect: schedule?.dialect ?? 'unix',
    gap: schedule?.gap ?? '',
    overlapHour: schedule?.overlapHour ?? '',
    period: schedule?.fixedRate ?? schedule?.fixedDelay ?? '15m',
    at: schedule?.at ?? '',
    upstream: draftOfUpstreams(schedule?.upstream),
    webhook: draftOfWebhook(schedule?.webhook),
    calendar: schedule?.calendar ?? '',
    start: schedule?.start ?? '',
    end: schedule?.end ?? '',
    jitter: schedule?.jitter ?? '',
    overlap: schedule?.overlap ?? 'allow',
    zone: schedule === undefined ? zone : (schedule.zone ?? 'UTC'),
    parameters: Object.fromEntries(given.map(([key, value]) => [key, Array.isArray(value) ? value.join('\n') : String(value)])),
    misfirePolicy: schedule?.misfire?.policy ?? usualMisfire(schedule?.at === undefined ? 'cron' : 'at'),
    misfireMax: schedule?.misfire?.max ?? 10,
  };
}

/** What becomes of missed fires of a rule when nothing is said. */
export function usualMisfire(rule: RuleKey): ScheduleDraft['misfirePolicy'] {
  return defaultMisfire(rule === 'at' ? { kind: 'one-shot', at: '' } : null);
}

/** The keys of the draft that say when it fires, as a preview is asked for; of a webhook the zone alone. */
export function timetableOfDraft(draft: ScheduleDraft): TimetableDefinition {
  const { rule, zone, start, end, gap, overlapHour, dialect } = draft;
  const days = draft.calendar === '' ? {} : { calendar: draft.calendar };
  const bounds = { ...days, ...(start.trim() === '' ? {} : { start: start.trim() }), ...(end.trim() === '' ? {} : { end: end.trim() }) };
  if (rule === 'at') return { at: draft.at.trim(), zone };
  if (rule === 'upstream') return { upstream: upstreamsOf(draft.upstream), zone, ...bounds };
  if (rule === 'webhook') return { zone };
  if (rule !== 'cron') return { [rule]: draft.period.trim(), zone, ...bounds };
  const policies = {
    ...(dialect === 'unix' ? {} : { dialect }),
    ...(gap === '' ? {} : { gap }),
    ...(overlapHour === '' ? {} : { overlapHour }),
  };
  return { cron: cronOf(draft.plan), ...policies, zone, ...bounds };
}

/** The value of a text in a parameter's type, or what was expected. A text with an expression is left to the run. */
export function readParameter(
  declaration: ParameterDeclaration,
  text: string,
): { ok: true; value: ParameterValue } | { ok: false; expected: Phrase } {
  if (text.includes('${{')) return { ok: true, value: text };
  const checked = checkValue(declaration, typed(declaration.type, declaration.items ?? 'string', text));
  return checked.ok ? { ok: true, value: checked.value } : { ok: false, expected: checked.expected };
}

function typed(type: string, items: string, text: string): unknown {
  if (type === 'list')
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => typed(items, items, line.trim()));
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (type !== 'number' && type !== 'integer') return text;
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
}

/** The schedule of the file that a draft says; what it leaves at its default and the file did not name stays unnamed. */
export function scheduleOf(
  draft: ScheduleDraft,
  before: ScheduleDefinition | undefined,
  declarations: ParameterDeclarations,
): Record<string, unknown> {
  const values = Object.entries(draft.parameters).flatMap(([key, text]): [string, unknown][] => {
    const reading = declarations[key] && readParameter(declarations[key], text);
    return reading?.ok ? [[key, reading.value]] : [];
  });
  const isRunAll = draft.misfirePolicy === 'run-all';
  const isTimed = draft.rule !== 'upstream' && draft.rule !== 'webhook';
  const namesMisfire = isTimed && (before?.misfire !== undefined || draft.misfirePolicy !== usualMisfire(draft.rule));
  const namesMax = isRunAll && (before?.misfire?.max !== undefined || draft.misfireMax !== 10);
  const namesZone = before === undefined || before.zone !== undefined || draft.zone !== 'UTC';
  const { zone, ...timetable } = timetableOfDraft(draft);
  const namesDialect = draft.rule === 'cron' && before?.dialect === 'unix' && draft.dialect === 'unix';
  const namesOverlap =
    draft.rule !== 'fixedDelay' && draft.rule !== 'webhook' && (before?.overlap !== undefined || draft.overlap !== 'allow');
  return {
    ...timetable,
    ...(draft.rule === 'upstream' ? { upstream: upstreamAsWritten(draft.upstream, before?.upstream) } : {}),
    ...(draft.rule === 'webhook' ? { webhook: webhookAsWritten(draft.webhook, before?.webhook) } : {}),
    ...(namesDialect ? { dialect: 'unix' } : {}),
    ...(namesZone ? { zone } : {}),
    ...(draft.jitter.trim() === '' || !isTimed ? {} : { jitter: draft.jitter.trim() }),
    ...(namesOverlap ? { overlap: draft.overlap } : {}),
    ...(values.length > 0 ? { parameters: Object.fromEntries(values) } : {}),
    ...(namesMisfire ? { misfire: { policy: draft.misfirePolicy, ...(namesMax ? { max: draft.misfireMax } : {}) } } : {}),
    ...(before?.enabled === undefined ? {} : { enabled: before.enabled }),
  };
}

export interface ScheduleChange {
  /** The name in the file; null for a new schedule. */
  from: string | null;
  before: ScheduleDefinition | undefined;
  draft: ScheduleDraft;
  declarations: ParameterDeclarations;
}

/** The text of the workflow with the schedule as the draft says it, and nothing else changed. */
export function textWithSchedule(text: string, { from, before, draft, declarations }: ScheduleChange): string {
  const after = scheduleOf(draft, before, declarations);
  if (before === undefined) return editYaml(text, [{ kind: 'set', path: ['schedules', draft.name], value: after, inLines: true }]);
  const edits: YamlEdit[] = editsBetween(['schedules', from!], before as Record<string, unknown>, after);
  if (from !== draft.name) edits.push({ kind: 'rename', path: ['schedules', from!], key: draft.name });
  return editYaml(text, edits);
}

/** The text without a schedule; the last one takes the whole section with it. */
export function textWithoutSchedule(text: string, name: string, isOnly: boolean): string {
  return editYaml(text, [{ kind: 'remove', path: isOnly ? ['schedules'] : ['schedules', name], withComment: true }]);
}

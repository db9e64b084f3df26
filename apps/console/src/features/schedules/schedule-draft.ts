import type { ScheduleDefinition } from '@medley/contracts';
import { checkValue, type ParameterDeclaration, type ParameterDeclarations, type ParameterValue, type Phrase } from '@medley/core';
import { editYaml, type YamlEdit } from '../../editor/yaml-edit.js';
import { editsBetween } from '../workflows/task-draft.js';
import { type CronPlan, cronOf, planOf } from './cron-plan.js';

/** A schedule as the form holds it. A parameter that is not among `parameters` takes its default; a value stands as text, a list one item a line. */
export interface ScheduleDraft {
  name: string;
  plan: CronPlan;
  zone: string;
  parameters: Record<string, string>;
  misfirePolicy: 'skip' | 'run-once' | 'run-all';
  misfireMax: number;
}

export function draftOfSchedule(name: string, schedule: ScheduleDefinition | undefined, zone: string): ScheduleDraft {
  const given = Object.entries(schedule?.parameters ?? {});
  return {
    name,
    plan: planOf(schedule?.cron ?? '30 2 * * *'),
    zone: schedule === undefined ? zone : (schedule.zone ?? 'UTC'),
    parameters: Object.fromEntries(given.map(([key, value]) => [key, Array.isArray(value) ? value.join('\n') : String(value)])),
    misfirePolicy: schedule?.misfire?.policy ?? 'skip',
    misfireMax: schedule?.misfire?.max ?? 10,
  };
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
  const namesMisfire = before?.misfire !== undefined || draft.misfirePolicy !== 'skip';
  const namesMax = isRunAll && (before?.misfire?.max !== undefined || draft.misfireMax !== 10);
  const namesZone = before === undefined || before.zone !== undefined || draft.zone !== 'UTC';
  return {
    cron: cronOf(draft.plan),
    ...(namesZone ? { zone: draft.zone } : {}),
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

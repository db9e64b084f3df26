import { AppError } from '../errors/index.js';
import { asText, type Expression, type ExpressionValue, evaluateExpression, lookUpIn } from '../expressions/index.js';
import { type Phrase, phrase } from '../phrases/index.js';
import { isKnownZone, localDate } from '../triggers/index.js';
import type { ParameterValues } from './declaration.js';
import { parseTemplate, type TemplateFault } from './template.js';

/** What a task has given to those behind it. */
export interface TaskResult {
  state: string;
  outputs: Readonly<Record<string, ExpressionValue>>;
}

export interface ScheduleValues {
  fireTime: string;
  /** Missing where the zone is none that this process knows. */
  date?: string;
  zone: string;
}

export function scheduleValues(fireAt: Date, zone: string): ScheduleValues {
  const date = isKnownZone(zone) ? { date: localDate(fireAt.getTime(), zone) } : {};
  return { fireTime: fireAt.toISOString(), ...date, zone };
}

/** What names stand for. A part that is missing here makes names of it an error where they are needed, never an empty text. */
export interface ExpressionContext {
  parameters?: ParameterValues;
  run?: { id: string; workflow: string };
  task?: { key: string };
  /** Null for a run that no schedule started. `date` is the day of the fire time in the schedule's zone. */
  schedule?: ScheduleValues | null;
  /** By key: tasks that have ended. */
  tasks?: Readonly<Record<string, TaskResult>>;
  /** The project's. */
  variables?: Readonly<Record<string, string>>;
  secrets?: Readonly<Record<string, string>>;
  /** Of one instance of a mapped task: its item by the name in `as`, and `index`. */
  map?: Readonly<Record<string, ExpressionValue>>;
  /** Of one iteration of a repeated task: its number from 0, and what the iteration before gave. */
  loop?: { index: number; previous: Readonly<Record<string, ExpressionValue>> };
}

/** The expressions in a text and the faults in it, for checks when a workflow is defined. */
export function findExpressions(template: string): { expressions: { expression: Expression; offset: number }[]; faults: TemplateFault[] } {
  const parsed = parseTemplate(template);
  if (!parsed.ok) return { expressions: [], faults: parsed.faults };
  return { expressions: parsed.parts.flatMap((part) => ('expression' in part ? [part] : [])), faults: [] };
}

/**
 * Replaces the expressions of a text. A text that is one single expression keeps the type of its value; within other text, values are written as
 * text, lists and maps as JSON. Throws `reference-invalid` when a name has no value or an expression none.
 */
export function renderValue(template: string, context: ExpressionContext): ExpressionValue {
  const parsed = parseTemplate(template);
  if (!parsed.ok) throw new AppError('reference-invalid', templateFaultsPhrase(parsed.faults)!);
  const lookUp = lookUpIn(context);
  const [first, ...others] = parsed.parts;
  if (first !== undefined && 'expression' in first && others.length === 0) return evaluateExpression(first.expression, lookUp);
  return parsed.parts.map((part) => ('text' in part ? part.text : asText(evaluateExpression(part.expression, lookUp)))).join('');
}

/** Faults of one text as one phrase; null when there is none. */
export function templateFaultsPhrase(faults: readonly Pick<TemplateFault, 'text'>[]): Phrase | null {
  const texts = faults.map((fault) => fault.text);
  return texts.length === 0 ? null : texts.reduce((first, second) => phrase('several-faults', { first, second }));
}

/** The same, always as text: for environment variables, addresses, headers and bodies. */
export function renderText(template: string, context: ExpressionContext): string {
  return asText(renderValue(template, context));
}

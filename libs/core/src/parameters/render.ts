import { AppError } from '../errors/index.js';
import type { ParameterValue, ParameterValues } from './declaration.js';
import { parseTemplate, type Reference, type TemplateFault } from './template.js';

/** What references stand for. A part that is missing here makes references to it an error, never an empty text. */
export interface ReferenceContext {
  parameters?: ParameterValues;
  run?: { id: string; workflow: string };
  task?: { key: string };
  /** Null for a run that no schedule started. `date` is the day of the fire time in the schedule's zone. */
  schedule?: { fireTime: string; date: string } | null;
}

/** The references in a text and the faults in it, for checks when a workflow is defined. */
export function findReferences(template: string): { references: Reference[]; faults: TemplateFault[] } {
  const parsed = parseTemplate(template);
  if (!parsed.ok) return { references: [], faults: parsed.faults };
  return { references: parsed.parts.flatMap((part) => ('reference' in part ? [part.reference] : [])), faults: [] };
}

/**
 * Replaces the references of a text. A text that is one single reference keeps the type of its value; within other text, values
 * are written as text and lists as JSON. Throws `reference-invalid` when a reference has no value.
 */
export function renderValue(template: string, context: ReferenceContext): ParameterValue {
  const parsed = parseTemplate(template);
  if (!parsed.ok) throw new AppError('reference-invalid', parsed.faults.map((fault) => fault.message).join('; '));
  const [first, ...others] = parsed.parts;
  if (first !== undefined && 'reference' in first && others.length === 0) return referenced(first.reference, context);
  return parsed.parts.map((part) => ('text' in part ? part.text : asText(referenced(part.reference, context)))).join('');
}

/** The same, always as text: for environment variables, addresses, headers and bodies. */
export function renderText(template: string, context: ReferenceContext): string {
  return asText(renderValue(template, context));
}

/** A value as it appears within text: lists as JSON. */
export function asText(value: ParameterValue): string {
  return Array.isArray(value) ? JSON.stringify(value) : String(value);
}

function referenced(reference: Reference, context: ReferenceContext): ParameterValue {
  const value = lookUp(reference, context);
  if (value !== undefined) return value;
  const name = reference.kind === 'parameter' ? `parameters.${reference.name}` : reference.kind;
  const bySchedule = reference.kind.startsWith('schedule.');
  const remedy = bySchedule ? 'only runs started by a schedule have it; give the value as a parameter' : 'it has no value here';
  throw new AppError('reference-invalid', `\`${name}\`: ${remedy}`);
}

function lookUp(reference: Reference, context: ReferenceContext): ParameterValue | undefined {
  switch (reference.kind) {
    case 'parameter':
      return Object.hasOwn(context.parameters ?? {}, reference.name) ? context.parameters?.[reference.name] : undefined;
    case 'run.id':
      return context.run?.id;
    case 'run.workflow':
      return context.run?.workflow;
    case 'task.key':
      return context.task?.key;
    case 'schedule.fireTime':
      return context.schedule?.fireTime;
    case 'schedule.date':
      return context.schedule?.date;
  }
}

import {
  AppError,
  checkType,
  checkValue,
  type ExpressionContext,
  faultsOfRules,
  findExpressions,
  hasReference,
  type ParameterDeclaration,
  phrase,
  renderValue,
} from '@medley/core';
import { entries, entry, type PathSegment, type WorkflowFault } from '../fault.js';
import { parameterSchema } from '../schema/workflow.schema.js';
import type { Suggestions } from '../suggestions.js';
import { checkTemplate } from './check-expressions.js';
import { type Declarations, type ExpressionScope, undeclared } from './expression-scope.js';

/** That defaults and schedules' values fit the declared types. */
export function checkParameters(document: unknown, suggestions: Suggestions): WorkflowFault[] {
  const declared = declarations(document);
  return [
    ...entries(entry(document, 'parameters')).flatMap(([name, declaration]) => checkDeclaration(name, declaration, suggestions)),
    ...entries(entry(document, 'schedules')).flatMap(([name, schedule]) => checkGiven(name, schedule, declared, suggestions)),
  ];
}

/** The declarations that have a valid form; null for those whose form is reported elsewhere. */
export function declarations(document: unknown): Declarations {
  const declared = entries(entry(document, 'parameters')).map(([name, value]): [string, ParameterDeclaration | null] => {
    const parsed = parameterSchema.safeParse(value);
    return [name, parsed.success ? (parsed.data as ParameterDeclaration) : null];
  });
  return new Map(declared);
}

function checkDeclaration(name: string, value: unknown, suggestions: Suggestions): WorkflowFault[] {
  const parsed = parameterSchema.safeParse(value);
  if (!parsed.success) return [];
  const path = ['parameters', name];
  const declaration = parsed.data as ParameterDeclaration;
  if (declaration.items !== undefined && declaration.type !== 'list') {
    return [{ path: [...path, 'items'], atKey: true, text: phrase('items-without-list') }];
  }
  const rules = faultsOfRules(declaration).map(({ key, ...fault }): WorkflowFault => ({ path: [...path, key], ...fault }));
  const choices = (declaration.enum ?? []).flatMap((choice, index): WorkflowFault[] => {
    const checked = checkValue(itemOf(declaration), choice);
    return checked.ok ? [] : [{ path: [...path, 'enum', index], text: checked.fault, expected: checked.expected }];
  });
  if (rules.length + choices.length > 0) return [...rules, ...choices];
  return declaration.default === undefined ? [] : checkTemplateValue([...path, 'default'], declaration, declaration.default, suggestions);
}

function mustBeGiven({ default: otherwise, required }: ParameterDeclaration): boolean {
  return otherwise === undefined && required !== false;
}

/** What `enum` lists: values, or items of a list. */
function itemOf({ type, items }: ParameterDeclaration): ParameterDeclaration {
  return { type: type === 'list' ? (items ?? 'string') : type };
}

function checkGiven(name: string, schedule: unknown, declared: Declarations, suggestions: Suggestions): WorkflowFault[] {
  const given = entry(schedule, 'parameters');
  const path = ['schedules', name, 'parameters'];
  const faults = entries(given).flatMap(([parameter, value]): WorkflowFault[] => {
    const declaration = declared.get(parameter);
    if (declaration === undefined) return [{ path: [...path, parameter], ...undeclared(parameter, declared, suggestions), atKey: true }];
    return declaration === null ? [] : checkTemplateValue([...path, parameter], declaration, value, suggestions);
  });
  for (const [parameter, declaration] of declared) {
    if (declaration === null || !mustBeGiven(declaration) || entry(given, parameter) !== undefined) continue;
    if (isSent(schedule, parameter)) continue;
    const text = phrase('schedule-gives-no-value', { name: parameter });
    faults.push({ path: ['schedules', name], text, expected: phrase('in-code', { code: `parameters: { ${parameter}: … }` }) });
  }
  return faults;
}

/** Whether a payload gives the parameter: one of a map by its pointer, one without a map any. */
function isSent(schedule: unknown, parameter: string): boolean {
  const webhook = entry(schedule, 'webhook');
  if (webhook === undefined) return false;
  const payload = entry(webhook, 'payload');
  return payload === undefined || entry(payload, parameter) !== undefined;
}

/** Stands for every run: what has the wrong type with these values has it with all. */
const anyRun: ExpressionContext = {
  run: { id: '01890000-0000-7000-8000-000000000000', workflow: 'workflow' },
  schedule: { fireTime: '2026-01-31T00:00:00.000Z', date: '2026-01-31', zone: 'UTC' },
};

/** What is known before a run has its parameters. */
function scopeOfDefaults(suggestions: Suggestions): ExpressionScope {
  const why = (name: string) => phrase('reference-not-known-yet', { name });
  return { roots: new Set(['run', 'schedule']), why, declared: new Map(), suggestions };
}

/** A value that holds expressions is checked when the run resolves it; its names, and that it can ever have the declared type, are checked now. */
function checkTemplateValue(
  path: PathSegment[],
  declaration: ParameterDeclaration,
  value: unknown,
  suggestions: Suggestions,
): WorkflowFault[] {
  const texts = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
  if (!texts.some(hasReference)) {
    const checked = checkValue(declaration, value);
    return checked.ok ? [] : [{ path, text: checked.fault, expected: checked.expected }];
  }
  const unreadable = texts.flatMap((text) => findExpressions(text).faults.map((fault): WorkflowFault => ({ path, text: fault.text })));
  const faulty = [...unreadable, ...texts.flatMap((text) => checkTemplate(path, text, scopeOfDefaults(suggestions)))];
  return faulty.length > 0 ? faulty : neverOfType(path, declaration, value);
}

function neverOfType(path: PathSegment[], declaration: ParameterDeclaration, value: unknown): WorkflowFault[] {
  const render = (each: unknown) => (typeof each === 'string' ? renderValue(each, anyRun) : each);
  const written = Array.isArray(value) ? value.join(', ') : String(value);
  try {
    const checked = checkType(declaration, Array.isArray(value) ? value.map(render) : render(value));
    if (checked.ok) return [];
    return [{ path, text: phrase('never-of-form', { value: written, form: checked.expected }), expected: checked.expected }];
  } catch (error) {
    if (error instanceof AppError && error.phrase) return [{ path, text: error.phrase }];
    throw error;
  }
}

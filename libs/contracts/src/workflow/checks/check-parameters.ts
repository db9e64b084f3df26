import {
  checkValue,
  findReferences,
  hasReference,
  type ParameterDeclaration,
  type Reference,
  type ReferenceContext,
  renderValue,
} from '@medley/core';
import { entries, entry, isMap, type PathSegment, type WorkflowFault } from '../fault.js';
import { parameterSchema } from '../schema/workflow.schema.js';
import type { Suggestions } from '../suggestions.js';

type Declarations = ReadonlyMap<string, ParameterDeclaration | null>;

/** That defaults and schedules' values fit the declared types, and that every `parameters.NAME` in a value is declared. */
export function checkParameters(document: unknown, suggestions: Suggestions): WorkflowFault[] {
  const declared = declarations(document);
  return [
    ...entries(entry(document, 'parameters')).flatMap(([name, declaration]) => checkDeclaration(name, declaration)),
    ...entries(entry(document, 'schedules')).flatMap(([name, schedule]) => checkGiven(name, schedule, declared, suggestions)),
    ...entries(entry(document, 'tasks')).flatMap(([key, task]) => checkTaskReferences(key, task, declared, suggestions)),
  ];
}

/** The declarations that have a valid form; null for those whose form is reported elsewhere. */
function declarations(document: unknown): Declarations {
  const declared = entries(entry(document, 'parameters')).map(([name, value]): [string, ParameterDeclaration | null] => {
    const parsed = parameterSchema.safeParse(value);
    return [name, parsed.success ? (parsed.data as ParameterDeclaration) : null];
  });
  return new Map(declared);
}

function checkDeclaration(name: string, value: unknown): WorkflowFault[] {
  const parsed = parameterSchema.safeParse(value);
  if (!parsed.success) return [];
  const path = ['parameters', name];
  const declaration = parsed.data as ParameterDeclaration;
  if (declaration.items !== undefined && declaration.type !== 'list') {
    return [{ path: [...path, 'items'], atKey: true, message: '`items` belongs to `type: list`' }];
  }
  return declaration.default === undefined ? [] : checkTemplateValue([...path, 'default'], declaration, declaration.default);
}

function checkGiven(name: string, schedule: unknown, declared: Declarations, suggestions: Suggestions): WorkflowFault[] {
  const given = entry(schedule, 'parameters');
  const path = ['schedules', name, 'parameters'];
  const faults = entries(given).flatMap(([parameter, value]): WorkflowFault[] => {
    const declaration = declared.get(parameter);
    if (declaration === undefined) return [{ ...undeclared([...path, parameter], parameter, declared, suggestions), atKey: true }];
    return declaration === null ? [] : checkTemplateValue([...path, parameter], declaration, value);
  });
  for (const [parameter, declaration] of declared) {
    if (declaration === null || declaration.default !== undefined || entry(given, parameter) !== undefined) continue;
    const message = `the schedule gives no value for \`${parameter}\`, which has no default`;
    faults.push({ path: ['schedules', name], message, expected: `\`parameters: { ${parameter}: … }\`` });
  }
  return faults;
}

/** Stands for every run: what has the wrong type with these values has it with all. */
const anyRun: ReferenceContext = {
  run: { id: '01890000-0000-7000-8000-000000000000', workflow: 'workflow' },
  schedule: { fireTime: '2026-01-31T00:00:00.000Z', date: '2026-01-31' },
};

/** A value that holds references is checked when the run resolves it; its references, and that they can ever have the declared type, are checked now. */
function checkTemplateValue(path: PathSegment[], declaration: ParameterDeclaration, value: unknown): WorkflowFault[] {
  const texts = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
  if (!texts.some(hasReference)) {
    const checked = checkValue(declaration, value);
    return checked.ok ? [] : [{ path, message: checked.message, expected: checked.expected }];
  }
  const faulty = texts.flatMap((text) => {
    const { references, faults } = findReferences(text);
    const foreign = references.filter((reference) => !isKnownBeforeTheRun(reference)).map(nameOf);
    const messages = [
      ...faults.map((fault) => fault.message),
      ...foreign.map((name) => `\`${name}\` has no value while parameters are resolved`),
    ];
    return messages.map((message): WorkflowFault => ({ path, message, expected: '`run.…` or `schedule.…`' }));
  });
  return faulty.length > 0 ? faulty : neverOfType(path, declaration, value);
}

function neverOfType(path: PathSegment[], declaration: ParameterDeclaration, value: unknown): WorkflowFault[] {
  const render = (each: unknown) => (typeof each === 'string' ? renderValue(each, anyRun) : each);
  const checked = checkValue(declaration, Array.isArray(value) ? value.map(render) : render(value));
  if (checked.ok) return [];
  return [
    {
      path,
      message: `\`${Array.isArray(value) ? value.join(', ') : value}\` can never be ${checked.expected}`,
      expected: checked.expected,
    },
  ];
}

function isKnownBeforeTheRun(reference: Reference): boolean {
  return reference.kind !== 'parameter' && reference.kind !== 'task.key';
}

function nameOf(reference: Reference): string {
  return reference.kind === 'parameter' ? `parameters.${reference.name}` : reference.kind;
}

function checkTaskReferences(key: string, task: unknown, declared: Declarations, suggestions: Suggestions): WorkflowFault[] {
  const texts: [PathSegment[], unknown][] = [
    [['url'], entry(task, 'url')],
    [['body'], entry(task, 'body')],
  ];
  for (const map of ['env', 'headers']) {
    const value = entry(task, map);
    if (isMap(value)) for (const [name, text] of entries(value)) texts.push([[map, name], text]);
  }
  return texts.flatMap(([path, text]) => {
    if (typeof text !== 'string' || !hasReference(text)) return [];
    const names = findReferences(text).references.flatMap((each) => (each.kind === 'parameter' ? [each.name] : []));
    const unknown = names.filter((name) => !declared.has(name));
    return unknown.map((name) => undeclared(['tasks', key, ...path], name, declared, suggestions));
  });
}

function undeclared(path: PathSegment[], name: string, declared: Declarations, suggestions: Suggestions): WorkflowFault {
  const some = [...declared.keys()].slice(0, 20).join(', ');
  const expected = some === '' ? 'a parameter declared under `parameters`' : `one of: ${some}`;
  return { path, message: `the workflow declares no parameter \`${name}\`${suggestions.hint(name, declared.keys())}`, expected };
}

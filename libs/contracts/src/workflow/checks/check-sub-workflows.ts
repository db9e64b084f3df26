import { checkValue, findExpressions, hasReference, type ParameterDeclarations, parseExpression, phrase } from '@medley/core';
import { entries, entry, type PathSegment, taskEntries, type WorkflowFault } from '../fault.js';
import { answerRoots, subWorkflowRoots } from '../schema/values.js';
import type { Suggestions } from '../suggestions.js';
import { undeclared } from './expression-scope.js';

/** A run may stand within so many others, one within the next. */
export const maxNesting = 20;

/** A workflow of the file's project, with what each version that the file asks for declares. */
export interface KnownWorkflow {
  name: string;
  latest: number;
  versions: { version: number; parameters: ParameterDeclarations; tasks: readonly string[] }[];
}

/** The workflows that the tasks of a document run, each once per version; null stands for the latest. What has no valid form is left out. */
export function subWorkflowsOf(document: unknown): { workflow: string; version: number | null }[] {
  const asked = taskEntries(document).flatMap(({ task }) => {
    const workflow = entry(task, 'workflow');
    const version = entry(task, 'version');
    if (entry(task, 'kind') !== 'workflow' || typeof workflow !== 'string') return [];
    return [{ workflow, version: typeof version === 'number' ? version : null }];
  });
  return [...new Map(asked.map((each) => [`${each.workflow} ${each.version}`, each])).values()];
}

/** That tasks of kind workflow run one that exists, give it the parameters that it asks for, and take outputs of its tasks. `known` is missing where the file is not applied. */
export function checkSubWorkflows(
  document: unknown,
  known: readonly KnownWorkflow[] | undefined,
  suggestions: Suggestions,
): WorkflowFault[] {
  const own = entry(document, 'workflow');
  return taskEntries(document).flatMap(({ task, path }) => {
    const kind = entry(task, 'kind');
    if (kind !== 'workflow') return kind === 'http' ? checkOutputs(path, task, answerRoots) : [];
    const faults = checkOutputs(path, task, subWorkflowRoots);
    const name = entry(task, 'workflow');
    if (typeof name !== 'string') return faults;
    if (name === own)
      return [...faults, { path: [...path, 'workflow'], text: phrase('workflow-runs-itself', { path: `${name} → ${name}` }) }];
    return known === undefined ? faults : [...faults, ...checkAgainst(path, task, name, known, suggestions)];
  });
}

/** The names in `outputs` are those of the kind; what cannot be read is reported by its own schema. */
function checkOutputs(path: PathSegment[], task: unknown, roots: typeof answerRoots): WorkflowFault[] {
  return entries(entry(task, 'outputs')).flatMap(([name, text]): WorkflowFault[] => {
    if (typeof text !== 'string' || !parseExpression(text, { ...answerRoots, ...subWorkflowRoots }).ok) return [];
    const parsed = parseExpression(text, roots);
    const example = roots === answerRoots ? 'json.total' : 'tasks.check.outputs.rows';
    return parsed.ok
      ? []
      : [{ path: [...path, 'outputs', name], text: parsed.faults[0]!.text, expected: phrase('answer-expression-form', { example }) }];
  });
}

function checkAgainst(
  path: PathSegment[],
  task: unknown,
  name: string,
  known: readonly KnownWorkflow[],
  suggestions: Suggestions,
): WorkflowFault[] {
  const workflow = known.find((each) => each.name === name);
  const expected = phrase('sub-workflow-form');
  if (workflow === undefined) {
    const hint = suggestions.hint(
      name,
      known.map((each) => each.name),
    );
    return [{ path: [...path, 'workflow'], text: phrase('sub-workflow-unknown', { workflow: name, hint }), expected }];
  }
  const asked = entry(task, 'version');
  const version = typeof asked === 'number' ? asked : workflow.latest;
  const found = workflow.versions.find((each) => each.version === version);
  if (found === undefined)
    return [
      {
        path: [...path, 'version'],
        text: phrase('sub-workflow-version-unknown', { workflow: name, version }),
        expected: phrase('at-most', { limit: workflow.latest }),
      },
    ];
  return [...checkGiven(path, task, found.parameters, name, suggestions), ...checkNamedTasks(path, task, found.tasks, name, suggestions)];
}

/** Values without expressions are checked now, the others when the task starts. */
function checkGiven(
  path: PathSegment[],
  task: unknown,
  parameters: ParameterDeclarations,
  workflow: string,
  suggestions: Suggestions,
): WorkflowFault[] {
  const declared = new Map(Object.entries(parameters));
  const given = entry(task, 'parameters');
  const faults = entries(given).flatMap(([name, value]): WorkflowFault[] => {
    const at = [...path, 'parameters', name];
    const declaration = declared.get(name);
    if (declaration === undefined) return [{ path: at, ...undeclared(name, declared, suggestions), atKey: true }];
    if ([value].flat().some((each) => typeof each === 'string' && hasReference(each))) return [];
    const checked = checkValue(declaration, value);
    return checked.ok ? [] : [{ path: at, text: checked.fault, expected: checked.expected }];
  });
  for (const [name, declaration] of declared) {
    if (declaration.default !== undefined || declaration.required === false || entry(given, name) !== undefined) continue;
    const text = phrase('sub-workflow-needs-value', { workflow, name });
    faults.push({ path, text, expected: phrase('in-code', { code: `parameters: { ${name}: … }` }) });
  }
  return [...faults, ...neverWithSchedule(path, given, declared)];
}

/** A default that asks for a schedule has no value in a run that a task starts. */
function neverWithSchedule(path: PathSegment[], given: unknown, declared: ReadonlyMap<string, { default?: unknown }>): WorkflowFault[] {
  return [...declared].flatMap(([name, { default: otherwise }]): WorkflowFault[] => {
    if (entry(given, name) !== undefined) return [];
    const texts = [otherwise].flat().filter((each): each is string => typeof each === 'string');
    const asks = texts
      .flatMap((text) => findExpressions(text).expressions)
      .some(({ expression }) => expression.references.some((each) => each.path[0] === 'schedule' && !each.presence));
    if (!asks) return [];
    return [
      {
        path,
        text: phrase('sub-workflow-default-of-schedule', { name }),
        expected: phrase('in-code', { code: `parameters: { ${name}: … }` }),
      },
    ];
  });
}

function checkNamedTasks(
  path: PathSegment[],
  task: unknown,
  tasks: readonly string[],
  workflow: string,
  suggestions: Suggestions,
): WorkflowFault[] {
  return entries(entry(task, 'outputs')).flatMap(([name, text]): WorkflowFault[] => {
    const parsed = typeof text === 'string' ? parseExpression(text, subWorkflowRoots) : null;
    if (!parsed?.ok) return [];
    const unknown = parsed.expression.references.map((reference) => reference.path[1]!).find((key) => !tasks.includes(key));
    if (unknown === undefined) return [];
    const fault = phrase('sub-workflow-task-unknown', { workflow, task: unknown, hint: suggestions.hint(unknown, tasks) });
    return [{ path: [...path, 'outputs', name], text: fault, expected: phrase('task-key-form') }];
  });
}

import { type FieldError, fieldError, phrase } from '@medley/core';
import { checkApprovals } from './checks/check-approvals.js';
import { checkConcurrency } from './checks/check-concurrency.js';
import { checkFiles } from './checks/check-files.js';
import { checkLimitNames, type KnownLimit } from './checks/check-limit-names.js';
import { checkLimits } from './checks/check-limits.js';
import { checkNeeds } from './checks/check-needs.js';
import { checkParameters } from './checks/check-parameters.js';
import { checkPools } from './checks/check-pools.js';
import { checkSchedules } from './checks/check-schedules.js';
import { checkSubWorkflows, type KnownWorkflow } from './checks/check-sub-workflows.js';
import { checkSwitches } from './checks/check-switches.js';
import { checkTaskExpressions } from './checks/check-task-expressions.js';
import { checkTasks } from './checks/check-tasks.js';
import { checkWaits } from './checks/check-waits.js';
import { explainIssues } from './explain-issues.js';
import { isMap, pathText, type WorkflowFault } from './fault.js';
import { normaliseWorkflow } from './normalise-workflow.js';
import { readYaml, type YamlDocument } from './read-yaml.js';
import { type WorkflowDefinition, workflowSchema } from './schema/workflow.schema.js';
import type { WorkflowSpec } from './spec.js';
import { Suggestions } from './suggestions.js';

export type ParsedWorkflow = { ok: true; definition: WorkflowDefinition; normalised: WorkflowSpec } | { ok: false; errors: FieldError[] };

/** So many faults are told; a file with more is better mended step by step. */
export const maxWorkflowErrors = 100;

/** What a file can only be checked against where it is applied. */
export interface WorkflowSurroundings {
  /** Names of the pools that exist; whatever a file names is accepted without them. */
  pools?: readonly string[];
  /** Limits of all projects and of the platform. */
  limits?: readonly KnownLimit[];
  /** What is known of the workflows of the file's project that its tasks run. */
  workflows?: readonly KnownWorkflow[];
}

/** Reads and checks a workflow file. All faults come together, each with line and column. Never throws. */
export function parseWorkflowYaml(text: string, surroundings: WorkflowSurroundings = {}): ParsedWorkflow {
  const read = readYaml(text);
  if (!read.ok)
    return { ok: false, errors: read.faults.map(({ text, expected, ...place }) => ({ ...fieldError('', text, expected), ...place })) };
  return parseDocument(read.document, surroundings);
}

/** The same for the structure as JSON; errors have no line. Never throws. */
export function parseWorkflowJson(value: unknown, surroundings: WorkflowSurroundings = {}): ParsedWorkflow {
  return parseDocument({ value, faults: [], locate: () => null }, surroundings);
}

function parseDocument({ value, faults, locate }: YamlDocument, surroundings: WorkflowSurroundings): ParsedWorkflow {
  if (!isMap(value)) {
    return { ok: false, errors: [{ ...fieldError('', phrase('no-workflow'), phrase('workflow-form')), line: 1, column: 1 }] };
  }
  const suggestions = new Suggestions();
  const parsed = workflowSchema.safeParse(value);
  const found = [
    ...faults,
    ...(parsed.success ? [] : explainIssues(parsed.error.issues, value, suggestions)),
    ...checkMeaning(value, surroundings, suggestions),
  ];
  if (found.length > 0 || !parsed.success) return { ok: false, errors: toErrors(found, locate) };
  return { ok: true, definition: parsed.data, normalised: normaliseWorkflow(parsed.data) };
}

/** What the schema cannot say, checked on whatever parts have a valid form. */
function checkMeaning(value: unknown, { pools, limits, workflows }: WorkflowSurroundings, suggestions: Suggestions): WorkflowFault[] {
  const excess = checkLimits(value);
  if (excess.length > 0) return excess;
  return [
    ...checkTasks(value),
    ...checkApprovals(value),
    ...checkWaits(value),
    ...checkNeeds(value),
    ...checkFiles(value, suggestions),
    ...checkSwitches(value, suggestions),
    ...checkParameters(value, suggestions),
    ...checkTaskExpressions(value, suggestions),
    ...checkConcurrency(value, suggestions),
    ...checkSchedules(value),
    ...(pools === undefined ? [] : checkPools(value, pools, suggestions)),
    ...checkSubWorkflows(value, workflows, suggestions),
    ...(limits === undefined ? [] : checkLimitNames(value, limits, suggestions)),
  ];
}

/** Faults in the order of the text, without repetitions. */
function toErrors(faults: readonly WorkflowFault[], locate: YamlDocument['locate']): FieldError[] {
  const errors = faults.slice(0, maxWorkflowErrors).map((fault): FieldError => {
    return { ...fieldError(pathText(fault.path), fault.text, fault.expected), ...locate(fault.path, fault.atKey ?? false) };
  });
  const unique = [...new Map(errors.map((error) => [`${error.path}\n${error.message}`, error])).values()];
  unique.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  const more = faults.length - maxWorkflowErrors;
  if (more > 0) unique.push(fieldError('', phrase('more-faults', { count: more })));
  return unique;
}

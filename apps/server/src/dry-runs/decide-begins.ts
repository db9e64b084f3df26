import { type DryRunTask, defaultCase, type Reason, type TaskSpec } from '@medley/contracts';
import {
  AppError,
  asText,
  type Expression,
  type ExpressionContext,
  type ExpressionValue,
  evaluateExpression,
  evaluateReadiness,
  lookUpIn,
  parseExpression,
  phrase,
  type TaskRunState,
  topologicalLevels,
} from '@medley/core';
import type { LoadedWorkflow } from '../settlement/workflow-specs.js';

type Begin = Pick<DryRunTask, 'begins' | 'reason'>;

/** What is known before anything has run. Null for variables: the caller may not read them. */
export interface KnownBefore {
  context: Pick<ExpressionContext, 'parameters' | 'schedule'>;
  variables: Readonly<Record<string, string>> | null;
}

/** The value of an expression, the fault with which its task would fail, or the names without which it has no value yet. */
type Known = { value: ExpressionValue } | { fault: AppError } | { dependsOn: string[] };

/** How tasks end of which that is known before they run. A switch has the case that it chooses, null while that is not known. */
interface Decided {
  states: Map<string, TaskRunState>;
  cases: Map<string, string | null>;
}

/**
 * When each task begins, by key, as far as parameters, variables and the schedule decide it: conditions and switches are evaluated as in a run, and what is skipped skips what needs it. What
 * depends on other tasks says on which.
 */
export function decideBegins({ spec, dag }: LoadedWorkflow, known: KnownBefore): Map<string, Begin> {
  const tasks = new Map(spec.tasks.map((task) => [task.key, task]));
  const decided: Decided = { states: new Map(), cases: new Map() };
  const begins = new Map<string, Begin>();
  for (const key of topologicalLevels(spec.tasks).flat()) {
    const task = tasks.get(key)!;
    const readiness = evaluateReadiness(dag.tasks.get(key)!, decided.states);
    const begin =
      typeof readiness === 'object'
        ? skipped({ code: 'skipped', ...readiness.skip })
        : beginOf(task, readiness, decided, known, spec.workflow);
    if (begin.begins === 'skipped') decided.states.set(key, 'skipped');
    if (begin.begins === 'fails') decided.states.set(key, 'failed');
    begins.set(key, begin);
  }
  return begins;
}

function beginOf(task: TaskSpec, readiness: 'ready' | 'wait', decided: Decided, known: KnownBefore, workflow: string): Begin {
  const gate = gateOf(task, decided, known, workflow);
  if (gate && gate.begins !== 'undecided') return gate;
  const chosen = task.switch ? chooseCase(task.switch, task.key, decided, known, workflow) : null;
  if (gate) return gate;
  if (chosen?.begins === 'fails') return chosen;
  const begins = task.isFinal ? 'finally' : readiness === 'ready' ? 'at-once' : 'after-needs';
  return { begins, reason: chosen?.reason ?? null };
}

/** Its case, then its `when`, as in a run; null when it runs. */
function gateOf(task: TaskSpec, decided: Decided, known: KnownBefore, workflow: string): Begin | null {
  return byBranch(task, decided) ?? byCondition(task, decided, known, workflow);
}

function byBranch({ branch }: TaskSpec, { cases }: Decided): Begin | null {
  if (!branch) return null;
  const chosen = cases.get(branch.of) ?? null;
  if (chosen === null) return undecided([branch.of], { switch: branch.of });
  if (branch.cases.includes(chosen)) return null;
  const text = chosen === defaultCase ? `${branch.of} chose none of its cases` : `${branch.of} chose ${chosen}`;
  return skipped({ code: 'case-not-chosen', text, values: { switch: branch.of, chosen: chosen || null } });
}

function byCondition({ when, key }: TaskSpec, decided: Decided, known: KnownBefore, workflow: string): Begin | null {
  if (when === undefined) return null;
  const read = evaluate(when, key, decided, known, workflow);
  if ('dependsOn' in read) return undecided(read.dependsOn, { when });
  if ('fault' in read) return fails(read.fault);
  if (typeof read.value !== 'boolean') return fails(new AppError('reference-invalid', phrase('when-not-boolean', { when })));
  return read.value ? null : skipped({ code: 'when-false', text: `its condition does not hold: ${when}`, values: { when } });
}

/** Notes the case of a switch where it is known. */
function chooseCase(
  { on, cases }: NonNullable<TaskSpec['switch']>,
  key: string,
  decided: Decided,
  known: KnownBefore,
  workflow: string,
): Begin | null {
  const read = evaluate(on, key, decided, known, workflow);
  if ('dependsOn' in read) return { begins: 'undecided', reason: dependsOn(read.dependsOn, { on }) };
  if ('fault' in read) return fails(read.fault);
  const value = asText(read.value);
  const found = cases.includes(value) ? value : defaultCase;
  decided.cases.set(key, found);
  const text = found === defaultCase ? `Its value is "${value}", which is no case.` : `Its value is "${value}".`;
  return { begins: 'after-needs', reason: { code: 'case-chosen', text, values: { value, case: found } } };
}

function evaluate(source: string, key: string, { states }: Decided, { context, variables }: KnownBefore, workflow: string): Known {
  const parsed = parseExpression(source);
  if (!parsed.ok) return { fault: new AppError('reference-invalid', parsed.faults[0]!.text) };
  const { expression } = parsed;
  const skippedTasks = [...states].map(([name, state]) => [name, { state, outputs: {} }] as const);
  const lookUp = lookUpIn({
    ...context,
    run: { workflow },
    task: { key },
    tasks: Object.fromEntries(skippedTasks),
    variables: variables ?? {},
  });
  const unknown = unknownIn(expression, states, variables === null);
  // Of what is not known yet nobody can say whether it will be there.
  if (unknown.some(({ isPresence }) => isPresence)) return { dependsOn: namesOf(unknown) };
  try {
    return { value: evaluateExpression(expression, lookUp) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return unknown.length > 0 ? { dependsOn: namesOf(unknown) } : { fault: error };
  }
}

interface UnknownName {
  name: string;
  isPresence: boolean;
}

/** Tasks that have not ended yet, the id of the run, and variables that may not be read. */
function unknownIn(expression: Expression, states: ReadonlyMap<string, TaskRunState>, hidesVariables: boolean): UnknownName[] {
  return expression.references.flatMap(({ path, presence }): UnknownName[] => {
    const [root, second] = path as [string, string | undefined];
    const isPresence = presence === true;
    if (root === 'tasks' && second !== undefined && !states.has(second)) return [{ name: second, isPresence }];
    if ((root === 'run' && second === 'id') || (root === 'variables' && hidesVariables)) return [{ name: path.join('.'), isPresence }];
    return [];
  });
}

const namesOf = (unknown: readonly UnknownName[]) => [...new Set(unknown.map(({ name }) => name))];

function skipped(reason: Reason): Begin {
  return { begins: 'skipped', reason };
}

function fails(fault: AppError): Begin {
  return { begins: 'fails', reason: { code: fault.code, text: fault.detail, ...(fault.phrase && { explanation: fault.phrase }) } };
}

function undecided(names: readonly string[], values: Record<string, unknown>): Begin {
  return { begins: 'undecided', reason: dependsOn(names, values) };
}

function dependsOn(names: readonly string[], values: Record<string, unknown>): Reason {
  return { code: 'depends-on', text: `depends on ${names.join(', ')}`, values: { ...values, names: names.join(', ') } };
}

import { type DagFault, type DagTask, phrase, validateDag } from '@medley/core';
import { entry, type PathSegment, taskEntries, type WorkflowFault } from '../fault.js';
import { needsWithBranch, normaliseNeeds } from '../normalise-workflow.js';
import { needsSchema } from '../schema/task.schema.js';
import { switchesOf } from './check-switches.js';

const maxNeeds = 100_000;

type TasksByKey = ReadonlyMap<string, { path: PathSegment[]; task: unknown }>;

/** That the tasks are a DAG within the limits. Needs that have no valid form are reported elsewhere and count as none here. */
export function checkNeeds(document: unknown): WorkflowFault[] {
  if (entry(document, 'tasks') === undefined) return [];
  const found = taskEntries(document);
  const switches = switchesOf(document);
  const dag: DagTask[] = found.map(({ section, key, task }) => {
    const needs = normaliseNeeds(needsSchema.optional().safeParse(entry(task, 'needs')).data);
    const of = switches.get(key);
    return { key, needs: of === undefined ? needs : needsWithBranch(needs, of), isFinal: section === 'finally' };
  });
  const tooMany = limitFault(dag);
  if (tooMany !== null) return [tooMany];
  const tasks = new Map(found.map((each) => [each.key, each]));
  const faults = validateDag(dag).filter(({ kind }) => kind !== 'duplicate-task'); // a name in both sections is told elsewhere
  return [...dag.flatMap((task) => emptyAny(task, tasks)), ...faults.map((fault) => located(fault, tasks))];
}

function limitFault(dag: DagTask[]): WorkflowFault | null {
  const needs = dag.reduce((count, task) => count + Object.keys(task.needs.conditions).length, 0);
  return needs > maxNeeds
    ? {
        path: ['tasks'],
        text: phrase('too-many', { count: needs, things: 'needs' }),
        expected: phrase('at-most-in-all', { limit: maxNeeds }),
      }
    : null;
}

function emptyAny(task: DagTask, tasks: TasksByKey): WorkflowFault[] {
  if (task.needs.mode === 'all' || Object.keys(task.needs.conditions).length > 0) return [];
  return [{ path: [...tasks.get(task.key)!.path, 'needs', 'any'], text: phrase('any-empty'), expected: phrase('any-form') }];
}

function located(fault: DagFault, tasks: TasksByKey): WorkflowFault {
  if (fault.kind === 'empty') return { path: ['tasks'], text: fault.text };
  const expected = phrase(fault.kind === 'cycle' ? 'need-cycle-form' : 'need-form');
  const { path, task } = tasks.get(fault.task)!;
  const place = placeOf(entry(task, 'needs'), needOf(fault));
  return { path: [...path, 'needs', ...place.path], atKey: place.atKey, text: fault.text, expected };
}

/** The need that a fault is about: of a circle, the one by which it closes. */
function needOf(fault: Exclude<DagFault, { kind: 'empty' }>): string | null {
  if (fault.kind === 'unknown-need' || fault.kind === 'final-need') return fault.need;
  if (fault.kind === 'self-need') return fault.task;
  return fault.kind === 'cycle' ? (fault.path.at(-2) ?? null) : null;
}

/** Where a need stands in one of the forms of `needs`: an entry of a list, or a key of a map; either may be under `any`. */
function placeOf(needs: unknown, need: string | null): { path: PathSegment[]; atKey: boolean } {
  const any = entry(needs, 'any');
  const isAny = typeof any === 'object' && any !== null;
  const form = isAny ? any : needs;
  const prefix: PathSegment[] = isAny ? ['any'] : [];
  if (need === null) return { path: [], atKey: false };
  if (!Array.isArray(form)) return entry(form, need) === undefined ? { path: [], atKey: false } : { path: [...prefix, need], atKey: true };
  const index = form.indexOf(need);
  return index < 0 ? { path: [], atKey: false } : { path: [...prefix, index], atKey: false };
}

import { type DagFault, type DagTask, validateDag } from '@medley/core';
import { entries, entry, type WorkflowFault } from '../fault.js';
import { normaliseNeeds } from '../normalise-workflow.js';
import { needsSchema } from '../schema/task.schema.js';

const maxNeeds = 100_000;

/** That the tasks are a DAG within the limits. Needs that have no valid form are reported elsewhere and count as none here. */
export function checkNeeds(document: unknown): WorkflowFault[] {
  const tasks = entry(document, 'tasks');
  if (tasks === undefined) return [];
  const dag: DagTask[] = entries(tasks).map(([key, task]) => {
    const needs = needsSchema.optional().safeParse(entry(task, 'needs'));
    return { key, needs: normaliseNeeds(needs.data) };
  });
  const tooMany = limitFault(dag);
  if (tooMany !== null) return [tooMany];
  return [...dag.flatMap(emptyAny), ...validateDag(dag).map(located)];
}

function limitFault(dag: DagTask[]): WorkflowFault | null {
  const needs = dag.reduce((count, task) => count + Object.keys(task.needs.conditions).length, 0);
  return needs > maxNeeds ? { path: ['tasks'], message: `there are ${needs} needs`, expected: `at most ${maxNeeds} in all` } : null;
}

function emptyAny(task: DagTask): WorkflowFault[] {
  if (task.needs.mode === 'all' || Object.keys(task.needs.conditions).length > 0) return [];
  return [
    { path: ['tasks', task.key, 'needs', 'any'], message: '`any` names no task, so it could never hold', expected: 'at least one task' },
  ];
}

function located(fault: DagFault): WorkflowFault {
  if (fault.kind === 'empty') return { path: ['tasks'], message: fault.message };
  const expected = fault.kind === 'cycle' ? 'needs that lead back to no task' : 'the name of another task';
  return { path: ['tasks', fault.task, 'needs'], message: fault.message, expected };
}

import { phrase } from '@medley/core';
import { entry, type WorkflowFault } from '../fault.js';

/** That each upstream names a workflow or the schedule itself, that something besides itself is waited for, and nothing twice. Whether the workflows are there is looked up when it is applied. */
export function checkUpstream(path: string[], schedule: unknown, document: unknown): WorkflowFault[] {
  const upstream = entry(schedule, 'upstream');
  if (!Array.isArray(upstream)) return [];
  const place = [...path, 'upstream'];
  const faults = upstream.flatMap((need, index) => checkNeed([...place, index], need, document));
  if (upstream.length > 0 && upstream.every((need) => entry(need, 'self') === true))
    faults.push({ path: place, text: phrase('upstream-only-self'), expected: phrase('upstream-workflow-form') });
  const told = upstream.map((need) => JSON.stringify(['workflow', 'self', 'day', 'hours'].map((key) => entry(need, key) ?? null)));
  const twice = told.findIndex((text, index) => told.indexOf(text) < index);
  if (twice >= 0) faults.push({ path: [...place, twice], text: phrase('upstream-twice') });
  return faults;
}

function checkNeed(path: WorkflowFault['path'], need: unknown, document: unknown): WorkflowFault[] {
  const [workflow, self] = [entry(need, 'workflow'), entry(need, 'self')];
  const expected = phrase('upstream-need-form');
  if (workflow === undefined && self === undefined) return [{ path, text: phrase('upstream-names-nothing'), expected }];
  if (workflow !== undefined && self !== undefined)
    return [{ path: [...path, 'self'], atKey: true, text: phrase('upstream-names-both'), expected }];
  if (self !== undefined) return checkSelf(path, need);
  const { project, workflow: own } = (document ?? {}) as { project?: unknown; workflow?: unknown };
  if (workflow !== own && workflow !== `${project}/${own}`) return [];
  return [{ path: [...path, 'workflow'], text: phrase('upstream-is-self', { name: String(own) }), expected: phrase('upstream-self-form') }];
}

function checkSelf(path: WorkflowFault['path'], need: unknown): WorkflowFault[] {
  const faults: WorkflowFault[] = [];
  if (entry(need, 'day') === 0)
    faults.push({ path: [...path, 'day'], text: phrase('upstream-self-same-day'), expected: phrase('upstream-self-form') });
  if (entry(need, 'hours') !== undefined)
    faults.push({ path: [...path, 'hours'], atKey: true, text: phrase('upstream-self-hours'), expected: phrase('upstream-self-form') });
  return faults;
}

import { phrase } from '@medley/core';
import { entries, entry, type PathSegment, taskEntries, type WorkflowFault } from '../fault.js';

/** What a task that no node runs cannot have. */
export const workKeys = ['env', 'resources', 'labels', 'retry', 'timeout', 'onLeaseLost', 'limits'];

/** That approvals say who decides and nothing of nodes, that nothing else says who decides, and that what happens at a deadline has one. */
export function checkApprovals(document: unknown): WorkflowFault[] {
  return taskEntries(document).flatMap(({ task, path }) => {
    const present = new Set(entries(task).map(([name]) => name));
    const isApproval = entry(task, 'kind') === 'approval';
    return [...(isApproval ? checkApproval(present, path) : checkOther(present, path)), ...checkDeadline(present, path)];
  });
}

function checkApproval(present: ReadonlySet<string>, path: PathSegment[]): WorkflowFault[] {
  const where = phrase('task-of-kind', { kind: 'approval' });
  const idle = workKeys.filter((key) => present.has(key));
  return [
    ...idle.map((key): WorkflowFault => ({ path: [...path, key], atKey: true, text: phrase('key-foreign', { key, where }) })),
    ...(present.has('by')
      ? []
      : [{ path, text: phrase('task-key-missing', { kind: 'approval', key: 'by' }), expected: phrase('approver-form') }]),
  ];
}

function checkOther(present: ReadonlySet<string>, path: PathSegment[]): WorkflowFault[] {
  return present.has('by') ? [{ path: [...path, 'by'], atKey: true, text: phrase('by-without-approval') }] : [];
}

function checkDeadline(present: ReadonlySet<string>, path: PathSegment[]): WorkflowFault[] {
  if (!present.has('onDeadline') || present.has('deadline')) return [];
  return [{ path: [...path, 'onDeadline'], atKey: true, text: phrase('on-deadline-alone'), expected: phrase('deadline-form') }];
}

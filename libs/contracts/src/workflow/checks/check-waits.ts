import { type PhraseValue, phrase } from '@medley/core';
import { entries, entry, type PathSegment, taskEntries, type WorkflowFault } from '../fault.js';
import { workKeys } from './check-approvals.js';

const targets = ['until', 'for', 'http'];

/** That a wait names one thing to wait for and nothing of nodes, and that nothing else names one. */
export function checkWaits(document: unknown): WorkflowFault[] {
  return taskEntries(document).flatMap(({ task, path }) => {
    const present = new Set(entries(task).map(([name]) => name));
    return entry(task, 'kind') === 'wait-for' ? checkWait(present, path) : checkOther(present, path);
  });
}

function checkWait(present: ReadonlySet<string>, path: PathSegment[]): WorkflowFault[] {
  const where = phrase('task-of-kind', { kind: 'wait-for' });
  const idle = [...workKeys, 'pool', 'mutex'].filter((key) => present.has(key));
  const isWithoutLooks = present.has('every') && !present.has('http');
  return [
    ...checkTarget(
      targets.filter((key) => present.has(key)),
      present.has('file'),
      path,
    ),
    ...idle.map((key): WorkflowFault => ({ path: [...path, key], atKey: true, text: phrase('key-foreign', { key, where }) })),
    ...(isWithoutLooks ? [{ path: [...path, 'every'], atKey: true, text: phrase('every-without-http') }] : []),
  ];
}

/** That `file` comes in a later version is told where keys are checked. */
function checkTarget(named: readonly string[], isOfLater: boolean, path: PathSegment[]): WorkflowFault[] {
  if (named.length === 1 || (named.length === 0 && isOfLater)) return [];
  if (named.length === 0) return [{ path, text: phrase('waits-for-nothing'), expected: phrase('wait-form') }];
  const keys = named.map((name): PhraseValue => `\`${name}\``).reduce((left, right) => phrase('both', { left, right }));
  return [{ path, text: phrase('several-waits', { keys }), expected: phrase('wait-form') }];
}

function checkOther(present: ReadonlySet<string>, path: PathSegment[]): WorkflowFault[] {
  return [...targets, 'every']
    .filter((key) => present.has(key))
    .map((key) => ({ path: [...path, key], atKey: true, text: phrase('wait-key-elsewhere', { key }) }));
}

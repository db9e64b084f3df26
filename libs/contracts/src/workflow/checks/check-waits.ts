import { type PhraseValue, phrase } from '@medley/core';
import { entries, entry, type PathSegment, taskEntries, type WorkflowFault } from '../fault.js';
import { workKeys } from './check-approvals.js';

const targets = ['until', 'for', 'http', 'file'];

/** That a wait names one thing to wait for and nothing of nodes but where its file is, and that nothing else names one. */
export function checkWaits(document: unknown): WorkflowFault[] {
  return taskEntries(document).flatMap(({ task, path }) => {
    const present = new Set(entries(task).map(([name]) => name));
    return entry(task, 'kind') === 'wait-for' ? checkWait(task, present, path) : checkOther(present, path);
  });
}

function checkWait(task: unknown, present: ReadonlySet<string>, path: PathSegment[]): WorkflowFault[] {
  const where = phrase('task-of-kind', { kind: 'wait-for' });
  const places = present.has('file') ? ['labels', 'pool'] : [];
  const idle = [...workKeys, 'pool', 'mutex'].filter((key) => present.has(key) && !places.includes(key));
  const isWithoutLooks = present.has('every') && !present.has('http') && !present.has('file');
  return [
    ...checkTarget(
      targets.filter((key) => present.has(key)),
      path,
    ),
    ...idle.map((key): WorkflowFault => ({ path: [...path, key], atKey: true, text: phrase('key-foreign', { key, where }) })),
    ...(isWithoutLooks ? [{ path: [...path, 'every'], atKey: true, text: phrase('every-without-looks') }] : []),
    ...(present.has('file') ? checkPlace(entry(task, 'file'), present, path) : []),
  ];
}

function checkTarget(named: readonly string[], path: PathSegment[]): WorkflowFault[] {
  if (named.length === 1) return [];
  if (named.length === 0) return [{ path, text: phrase('waits-for-nothing'), expected: phrase('wait-form') }];
  const keys = named.map((name): PhraseValue => `\`${name}\``).reduce((left, right) => phrase('both', { left, right }));
  return [{ path, text: phrase('several-waits', { keys }), expected: phrase('wait-form') }];
}

/** One node by name, or those of a pool by labels. */
function checkPlace(file: unknown, present: ReadonlySet<string>, path: PathSegment[]): WorkflowFault[] {
  if (entry(file, 'node') !== undefined) {
    const beside = ['labels', 'pool'].filter((key) => present.has(key));
    return beside.map((key): WorkflowFault => ({ path: [...path, key], atKey: true, text: phrase('file-place-twice', { key }) }));
  }
  if (present.has('labels')) return [];
  return [{ path: [...path, 'file'], text: phrase('file-without-place'), expected: phrase('file-place-form') }];
}

function checkOther(present: ReadonlySet<string>, path: PathSegment[]): WorkflowFault[] {
  return [...targets, 'every']
    .filter((key) => present.has(key))
    .map((key) => ({ path: [...path, key], atKey: true, text: phrase('wait-key-elsewhere', { key }) }));
}

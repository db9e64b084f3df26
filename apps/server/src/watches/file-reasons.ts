import { type FileLookResult, WATCH_PROTOCOL } from '@medley/contracts';
import { type ForeignPhrase, inEnglish, type Phrase, type PhraseValue, phrase } from '@medley/core';
import type { MarkedTaskRun } from '../settlement/settlement.types.js';
import type { StoredReason } from '../unplaced/unplaced.types.js';
import type { FilePlace } from './file-places.js';
import type { FileQuestion, FileWatch } from './file-watch.js';

const TOLD_NODES = 5;

export type FileIsThere = Extract<FileLookResult, { outcome: 'there' }>;

/** What an agent found where the file is not there. */
export function foundOf(result: Exclude<FileLookResult, FileIsThere>): Phrase {
  switch (result.outcome) {
    case 'absent':
      return phrase('look-file-absent');
    case 'not-allowed':
      return phrase('look-file-not-allowed');
    case 'timeout':
      return phrase('look-timeout', { seconds: result.seconds });
    case 'failed':
      return phrase('look-file-failed', { fault: result.fault });
  }
}

export function endByFile({ taskRunId, question, looks }: FileWatch, node: string, there: FileIsThere, at: Date): MarkedTaskRun {
  const { sizeBytes, modifiedAt } = there;
  const found = phrase('look-file-there', { node, bytes: sizeBytes, at: modifiedAt });
  const values = { target: question.path, found, node, sizeBytes, modifiedAt, looks, at: at.toISOString() };
  return { taskRunId, state: 'succeeded', reason: { code: 'file-there', text: `${question.path} is there: ${inEnglish(found)}.`, values } };
}

/** Why it still waits: what each node has found, or why it does not answer. */
export function waitsForFile({ question, looks, everySeconds }: FileWatch, places: readonly FilePlace[], at: Date): StoredReason {
  const found = phrase('looks-on-nodes', { each: toldOf(question, places) });
  const nextAt = new Date(at.getTime() + everySeconds * 1000).toISOString();
  const text = `It waits for ${question.path}; the last look found: ${inEnglish(found)}. The next one is at ${nextAt}.`;
  return { code: 'waiting-for-file', text, values: { target: question.path, looks, found, lastAt: at.toISOString(), nextAt } };
}

function toldOf(question: FileQuestion, places: readonly FilePlace[]): PhraseValue[] {
  if (places.length === 0)
    return ['node' in question ? phrase('look-node-unknown', { node: question.node }) : phrase('look-nodes-none', { pool: question.pool })];
  const told = places.slice(0, TOLD_NODES).map((place) => phrase('look-on-node', { node: place.node, found: stateOf(place) as Phrase }));
  return places.length > TOLD_NODES ? [...told, phrase('looks-more', { count: places.length - TOLD_NODES })] : told;
}

function stateOf({ protocol, isOnline, lastHeardAt, found }: FilePlace): ForeignPhrase {
  if (protocol < WATCH_PROTOCOL) return phrase('look-node-old', { protocol, needed: WATCH_PROTOCOL });
  if (!isOnline) return phrase('look-node-silent', { at: lastHeardAt.toISOString() });
  return found ?? phrase('look-file-asked');
}

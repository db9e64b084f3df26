import { constants } from 'node:os';
import { type AttemptOutcome, maxExplanationLength } from '@medley/contracts';
import { inEnglish, type Phrase, phrase, type ReadOutputs } from '@medley/core';
import type { FinishedBody, StopIntent } from '../spool/spool-lines.js';

/** What is known when the last process of an attempt is gone. */
export interface AttemptEnd {
  /** Status of the main script as the wrapper saw it; null when the wrapper left none. */
  status: number | null;
  /** Why there is no status, or what the command has left about its failure. */
  problem: Phrase | null;
  stopIntent: StopIntent | null;
  timeoutSeconds: number | null;
  memoryKills: number;
  memoryMib: number;
  runSeconds: number;
  /** What the task gave to those behind it; what is wrong with it fails a task that had succeeded. */
  given?: ReadOutputs;
  /** Why its files could not be kept, which fails a task that had succeeded. */
  filesFault?: Phrase | null;
}

const SIGNAL_NAMES = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** Shells report a command killed by signal n as 128 + n; null for any other status. */
export function signalOfStatus(status: number | null): string | null {
  return status !== null && status > 128 ? (SIGNAL_NAMES.get(status - 128) ?? null) : null;
}

function outcomeOf({ status, stopIntent, given, filesFault }: AttemptEnd): AttemptOutcome {
  if (stopIntent !== null) {
    return stopIntent === 'timed_out' ? 'timed_out' : 'cancelled';
  }
  return status === 0 && given?.ok !== false && !filesFault ? 'succeeded' : 'failed';
}

function explanationOf(end: AttemptEnd): Phrase | null {
  const parts: Phrase[] = [];
  if (end.stopIntent === 'timed_out') {
    parts.push(end.timeoutSeconds === null ? phrase('ended-timed-out') : phrase('timed-out-after', { seconds: end.timeoutSeconds }));
  } else if (end.stopIntent === 'lease_lost') {
    parts.push(phrase('lease-lost'));
  }
  if (end.memoryKills > 0 && end.status !== 0) {
    parts.push(phrase('memory-kill', { limit: end.memoryMib }));
  }
  if (end.problem !== null && end.stopIntent === null) {
    parts.push(end.problem);
  }
  if (end.given?.ok === false) {
    parts.push(end.given.fault);
  }
  if (end.filesFault && end.stopIntent === null) {
    parts.push(end.filesFault);
  }
  return parts.length === 0 ? null : parts.reduce((first, second) => phrase('ending-and', { first, second }));
}

/** English for whoever reads that, and the phrase for any language, unless what stands in it is too much to send. */
function toldOf(explanation: Phrase | null): Pick<FinishedBody, 'detail' | 'explanation'> {
  if (explanation === null) return { detail: null };
  const detail = inEnglish(explanation).slice(0, 4000);
  return JSON.stringify(explanation).length > maxExplanationLength ? { detail } : { detail, explanation };
}

/** The report that ends an attempt. A stop that was ordered before the exit was seen decides the outcome, whatever the status says. */
export function finishedBodyOf(end: AttemptEnd): FinishedBody {
  return {
    type: 'finished',
    outcome: outcomeOf(end),
    exitCode: end.status,
    signal: signalOfStatus(end.status),
    ...toldOf(explanationOf(end)),
    runSeconds: Math.max(0, end.runSeconds),
    ...(end.given?.ok && Object.keys(end.given.outputs).length > 0 ? { outputs: end.given.outputs as FinishedBody['outputs'] } : {}),
  };
}

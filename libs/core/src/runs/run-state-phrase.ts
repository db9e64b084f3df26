import { type Phrase, phrase } from '../phrases/index.js';
import type { RunState } from './run-states.js';

const phrases: Readonly<Record<RunState, Phrase>> = {
  queued: phrase('run-queued'),
  running: phrase('run-running'),
  paused: phrase('run-paused'),
  cancelling: phrase('run-cancelling'),
  succeeded: phrase('run-succeeded'),
  failed: phrase('run-failed'),
  cancelled: phrase('run-cancelled'),
};

/** What a run's state is called within a sentence. */
export function runStatePhrase(state: RunState): Phrase {
  return phrases[state];
}

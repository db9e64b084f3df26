import type { AttemptView } from '@medley/contracts';
import { say } from '../../i18n/phrases.js';

type Translate = (key: string, values?: Record<string, unknown>) => string;

/** Why an attempt ended or is being stopped, beside its exit code and signal, in the reader's language; empty where there is nothing more to tell. */
export function whyAttemptEnded(
  { detail, explanation, stopReason }: Pick<AttemptView, 'detail' | 'explanation' | 'stopReason'>,
  t: Translate,
): string {
  if (detail !== null) return say(explanation, detail);
  if (stopReason === null) return '';
  return t(stopReason === 'timed_out' ? 'runHistory.cause.timed_out' : 'runHistory.cause.cancelled');
}

import type { Reason } from '@medley/contracts';
import { reasonDetail, type Translate, tellsMore } from './reason-detail.js';

const known = new Set([
  'waiting-for-parents',
  'ready',
  'blocked',
  'no-node',
  'infeasible',
  'no-eligible-node',
  'unschedulable',
  'no-capacity',
  'invalid-labels',
  'limit-full',
  'run-queued',
  'run-skipped',
  'limit-rate',
  'waiting-for-claim',
  'prefetched',
  'overloaded',
  'dispatched',
  'retry-wait',
  'running',
  'stopping',
  'stopping-marked',
  'run-paused',
  'marked',
  'waiting-for-approval',
  'waiting-for-time',
  'waiting-for-http',
  'waiting-for-file',
  'time-came',
  'condition-met',
  'file-there',
  'approved',
  'rejected',
  'deadline',
  'succeeded',
  'failed',
  'skipped',
  'cancelled',
  'kept',
  'depends-on',
  'when-false',
  'case-not-chosen',
  'case-chosen',
  'no-items',
  'items-failed',
  'gathered-too-large',
  'gathered-too-many',
  'runs-items',
  'waiting-for-turn',
  'map-stopped',
  'pool-removed',
  'reference-invalid',
  'runs-child',
  'runs-iterations',
  'loop-ended',
  'loop-max',
  'loop-rests',
  'iteration-failed',
  'child-failed',
  'child-cancelled',
  'child-gone',
  'parameter-invalid',
]);

type ToldReason = Pick<Reason, 'code' | 'text' | 'values' | 'explanation'>;

/** The reason in short in the reader's language; its detail, which names nodes and figures, goes beside it. */
export function reasonHeadline(reason: Pick<Reason, 'code'>, t: Translate): string | null {
  return known.has(reason.code) ? t(`reason.${reason.code}`) : null;
}

/** Of these the headline says less than their English text, which stands for what came without values or a phrase: as an earlier version has stored it. */
const untold = new Set(['reference-invalid', 'invalid-labels', 'marked', 'failed', 'timed_out', 'lost', 'cancelled', 'skipped']);

/** What there is to say beside the headline, in the reader's language; empty where it says all. */
export function besideHeadline(reason: ToldReason, t: Translate): string {
  const detail = reasonDetail(reason, t);
  if (detail !== null) return detail;
  if (reasonHeadline(reason, t) !== null && !untold.has(reason.code) && !tellsMore(reason.code)) return '';
  const colon = reason.text.indexOf(': ');
  return reasonHeadline(reason, t) === null || colon < 0 ? reason.text : reason.text.slice(colon + 2);
}

/** Headline and what is beside it in one line. */
export function reasonLine(reason: ToldReason, t: Translate): string {
  return [reasonHeadline(reason, t), besideHeadline(reason, t)].filter(Boolean).join(' · ');
}

import type { Reason } from '@medley/contracts';
import { reasonDetail, type Translate } from './reason-detail.js';

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
  'time-came',
  'condition-met',
  'approved',
  'rejected',
  'deadline',
  'succeeded',
  'failed',
  'skipped',
  'cancelled',
  'kept',
  'when-false',
  'case-not-chosen',
  'case-chosen',
  'no-items',
  'items-failed',
  'runs-items',
  'waiting-for-turn',
  'map-stopped',
  'pool-removed',
  'reference-invalid',
]);

/** The reason in short in the reader's language; its detail, which names nodes and figures, goes beside it. */
export function reasonHeadline(reason: Pick<Reason, 'code'>, t: Translate): string | null {
  return known.has(reason.code) ? t(`reason.${reason.code}`) : null;
}

/**
 * Headline and detail in one line. Where a reason came without values, as one that an earlier version has stored, its English text stands for the detail, without
 * what the headline has said ("every node that fits is full: strong 1 of 1 …").
 */
export function reasonLine(reason: Pick<Reason, 'code' | 'text' | 'values'>, t: Translate): string {
  const headline = reasonHeadline(reason, t);
  if (headline === null) return reason.text;
  const detail = reasonDetail(reason, t);
  if (detail !== null) return `${headline} · ${detail}`;
  const colon = reason.text.indexOf(': ');
  return `${headline} · ${colon < 0 ? reason.text : reason.text.slice(colon + 2)}`;
}

import type { Reason } from '@medley/contracts';

type Translate = (key: string) => string;

const known = new Set([
  'waiting-for-parents',
  'ready',
  'blocked',
  'no-node',
  'infeasible',
  'no-eligible-node',
  'overloaded',
  'unschedulable',
  'no-capacity',
  'invalid-labels',
  'waiting-for-claim',
  'prefetched',
  'dispatched',
  'retry-wait',
  'running',
  'stopping',
  'succeeded',
  'failed',
  'skipped',
  'cancelled',
  'kept',
]);

/** The reason in short in the reader's language; the server's text, which names nodes and figures, goes beside it. */
export function reasonHeadline(reason: Pick<Reason, 'code'>, t: Translate): string | null {
  return known.has(reason.code) ? t(`reason.${reason.code}`) : null;
}

/** Headline and detail in one line, without saying twice what the server's text begins with ("every node that fits is full: strong 1 of 1 …"). */
export function reasonLine(reason: Pick<Reason, 'code' | 'text'>, t: Translate): string {
  const headline = reasonHeadline(reason, t);
  if (headline === null) return reason.text;
  const colon = reason.text.indexOf(': ');
  return `${headline} · ${colon < 0 ? reason.text : reason.text.slice(colon + 2)}`;
}

import type { LimitObstacle } from '../limits/limit-book.js';
import type { LimitSnapshot } from '../limits/limit-snapshot.js';
import { amountText, unitText } from '../resource-text.js';
import type { LimitWait } from '../wait-values.js';
import type { WaitReason } from './wait-reason.js';

const maxNamed = 3;

/** Why limits keep a request waiting: the first in the way is told in words, all of them as values. */
export function explainLimits(obstacles: readonly LimitObstacle[]): WaitReason {
  const [first] = obstacles as [LimitObstacle];
  const values = { limits: obstacles.map(waitOf) };
  const others = obstacles.slice(1).map(({ limit }) => nameOf(limit));
  const also = others.length === 0 ? '' : `; it also waits for ${others.join(', ')}`;
  return { code: first.code === 'rate' ? 'limit-rate' : 'limit-full', reason: `${textOf(first)}${also}`, values };
}

function textOf({ limit, code, asks }: LimitObstacle): string {
  const { slots, taken, rate } = limit;
  const name = nameOf(limit);
  if (code === 'rate')
    return `${name} allows ${rate!.starts} starts in ${rate!.seconds} s and had them; the next may start at ${new Date(rate!.nextAtMs ?? 0).toISOString()}`;
  if (code === 'small')
    return `${name} has ${amountOf(limit, slots!)} and this asks for ${amountOf(limit, asks)}; raise it, or ask for less`;
  if (taken + asks > slots!) return `${name} full: ${amountOf(limit, taken)} of ${amountOf(limit, slots!)}${heldBy(limit)}`;
  return `${name}: its free slots are kept for what came before; ${amountOf(limit, taken)} of ${amountOf(limit, slots!)}${heldBy(limit)}`;
}

function heldBy({ holders, holderCount }: LimitSnapshot): string {
  if (holders.length === 0) return '';
  const named = holders.slice(0, maxNamed).map(({ workflow, task, runId }) => `${workflow}/${task} (run ${runId.slice(-8)})`);
  const more = holderCount - named.length;
  return `, held by ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function nameOf({ kind, name, resource }: LimitSnapshot): string {
  if (kind === 'mutex') return `mutex ${name}`;
  if (kind === 'limit') return `limit ${name}`;
  return `quota of project ${name}${resource === 'attempts' ? ' for running tasks' : ''}`;
}

function amountOf({ resource }: LimitSnapshot, amount: number): string {
  if (resource === undefined || resource === 'attempts') return String(amount);
  return `${amountText(resource, amount)} ${unitText(resource, amount)}`;
}

function waitOf({ limit, code, asks }: LimitObstacle): LimitWait {
  const { id, kind, name, resource, slots, taken, rate, holders, holderCount } = limit;
  return {
    ...(kind === 'quota' ? {} : { id }),
    ...{ kind, name, code, slots, taken, asks },
    ...(resource === undefined ? {} : { resource }),
    ...(code === 'rate' ? { starts: rate!.starts, seconds: rate!.seconds, nextAt: new Date(rate!.nextAtMs ?? 0).toISOString() } : {}),
    holders: holders.slice(0, maxNamed),
    more: Math.max(0, holderCount - maxNamed),
  };
}

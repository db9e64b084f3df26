import type { Reason } from '@medley/contracts';
import type { ForeignPhrase, LimitWait, Obstacle, WaitValues } from '@medley/core';
import { formatAbsolute } from '../../format/instant.js';
import { formatCores, formatMib } from '../../format/quantity.js';
import { i18n } from '../../i18n/i18n.js';
import { say } from '../../i18n/phrases.js';

export type Translate = (key: string, values?: Record<string, unknown>) => string;

interface AttemptValues {
  number: number;
  node: string;
  state: string;
  exitCode: number | null;
  signal: string | null;
  detail: string | null;
  explanation?: ForeignPhrase | null;
}

interface ParentValues {
  mode?: 'all' | 'any';
  parents: { key: string; state: string; needed: string }[];
  more: number;
}

type Values = Record<string, unknown>;
type Teller = (values: Values, t: Translate) => string;

/** By code: what the values of a reason say. A code that is not here has no detail beside its headline. */
const tellers: Record<string, Teller> = {
  'no-node': (_, t) => t('reasonDetail.no-node'),
  'no-capacity': (values, t) => t('reasonDetail.no-capacity', { nodes: nodesText(values, t) }),
  'no-eligible-node': (values, t) => t('reasonDetail.no-eligible-node', { nodes: nodesText(values, t) }),
  overloaded: (values, t) => t('reasonDetail.overloaded', { nodes: nodesText(values, t) }),
  unschedulable: (values, t) => t('reasonDetail.unschedulable', { nodes: nodesText(values, t) }),
  infeasible: (values, t) => t('reasonDetail.infeasible', { asks: asksText(values, t), nodes: nodesText(values, t) }),
  'limit-full': limitsText,
  'limit-rate': limitsText,
  'run-queued': keyText,
  'run-skipped': (values, t) => t('reasonKey.skipped', values),
  'waiting-for-parents': parentsText,
  skipped: parentsText,
  'waiting-for-claim': (values, t) => t('reasonDetail.waiting-for-claim', values),
  prefetched: (values, t) => t('reasonDetail.prefetched', values),
  'retry-wait': retryText,
  running: (values, t) => t('reasonDetail.running', values),
  stopping: (values, t) => t(values.cause === 'timed_out' ? 'reasonDetail.stoppingTimedOut' : 'reasonDetail.stoppingCancelled', values),
  marked: markText,
  'waiting-for-approval': ({ by }, t) => t('reasonDetail.waiting-for-approval', { by: listText(by as string[], 0, t) }),
  'waiting-for-time': ({ at }, t) => t('reasonDetail.waiting-for-time', { at: timeText(at) }),
  'time-came': ({ at }, t) => t('reasonDetail.time-came', { at: timeText(at) }),
  'waiting-for-http': lookText,
  'waiting-for-file': lookText,
  'condition-met': ({ target, found }, t) => t('reasonDetail.condition-met', { target, found: say(found as ForeignPhrase, '') }),
  'file-there': ({ target, found }, t) => t('reasonDetail.condition-met', { target, found: say(found as ForeignPhrase, '') }),
  approved: decisionText,
  rejected: decisionText,
  deadline: ({ at }, t) => t('reasonDetail.deadline', { at: timeText(at) }),
  'stopping-marked': (values, t) => t('reasonDetail.stopping-marked', { told: markText(values, t), node: values.node ?? '–' }),
  succeeded: attemptText,
  failed: attemptText,
  timed_out: attemptText,
  lost: attemptText,
  cancelled: attemptText,
  'depends-on': (values, t) => t('reasonDetail.depends-on', values),
  'when-false': (values, t) => t('reasonDetail.when-false', values),
  'case-not-chosen': (values, t) => t(values.chosen === null ? 'reasonDetail.chosenNone' : 'reasonDetail.case-not-chosen', values),
  'case-chosen': (values, t) => t('reasonDetail.case-chosen', values),
  'items-failed': (values, t) => t('reasonDetail.items-failed', values),
  'gathered-too-large': (values, t) => t('reasonDetail.gathered-too-large', values),
  'gathered-too-many': (values, t) => t('reasonDetail.gathered-too-many', values),
  'runs-items': (values, t) => t('reasonDetail.runs-items', values),
  'runs-child': childText,
  'runs-iterations': (values, t) => t('reasonDetail.runs-iterations', values),
  'loop-ended': (values, t) => t('reasonDetail.loop-ended', values),
  'loop-max': (values, t) => t('reasonDetail.loop-max', values),
  'loop-rests': ({ iteration, at }, t) =>
    at === undefined ? t('reasonDetail.loop-rests', { iteration }) : t('reasonDetail.loopRestsUntil', { iteration, at: timeText(at) }),
  'iteration-failed': (values, t) => t('reasonDetail.iteration-failed', values),
  'child-failed': failedChildText,
  'child-cancelled': (values, t) =>
    t(values.key === undefined ? 'reasonDetail.child-cancelled' : 'reasonDetail.childSkipped', { ...values, run: runText(values) }),
};

/** Whether reasons of this code have values that say more than its headline. */
export function tellsMore(code: string): boolean {
  return code in tellers;
}

/** All that a reason says beside its headline, in the reader's language; null when only its English text does. */
export function reasonDetail({ code, values, explanation }: Pick<Reason, 'code' | 'values' | 'explanation'>, t: Translate): string | null {
  const tell = tellers[code];
  if (tell === undefined || values === undefined) return say(explanation, '') || null;
  const text = tell(values, t);
  return text === '' ? null : text;
}

function nodesText({ nodes = [], more = 0 }: WaitValues, t: Translate): string {
  return listText(
    nodes.map(({ node, obstacle }) => `${node} ${obstacleText(obstacle, t)}`),
    more,
    t,
  );
}

export function obstacleText(obstacle: Obstacle, t: Translate): string {
  if (!('resource' in obstacle)) return t(`obstacle.${obstacle.code}`, { ...obstacle });
  const amounts = Object.entries(obstacle).map(([name, value]) => [
    name,
    typeof value === 'number' ? amountText(obstacle.resource, value) : value,
  ]);
  return t(`obstacle.${obstacle.code}`, { ...Object.fromEntries(amounts), resource: t(`obstacleResource.${obstacle.resource}`) });
}

function limitsText({ limits = [] }: WaitValues, t: Translate): string {
  return limits.map((limit) => limitText(limit, t)).join(t('reasonDetail.semicolon'));
}

function limitText(limit: LimitWait, t: Translate): string {
  const { kind, name, resource, code, slots, taken, asks, starts, seconds, nextAt, holders, more } = limit;
  const named = t(`reasonLimit.${kind}`, { name, resource: resource === undefined ? '' : quotaWord(resource, t) });
  const amount = (value: number | null) => (resource === undefined || value === null ? String(value) : amountText(resource, value));
  const at = nextAt === undefined ? '' : timeText(nextAt);
  const told = t(`reasonLimit.${code}`, {
    limit: named,
    slots: amount(slots),
    taken: amount(taken),
    asks: amount(asks),
    starts,
    seconds,
    at,
  });
  if (code !== 'full' || holders.length === 0) return told;
  const who = holders.map(({ workflow, task, runId }) => t('reasonLimit.holder', { workflow, task, run: runId.slice(-8) }));
  return t('reasonLimit.heldBy', { told, holders: listText(who, more, t) });
}

function runText({ runId }: Values): string {
  return String(runId).slice(-8);
}

/** How far the run of a sub-workflow has come, or why it has not begun. */
function childText(values: Values, t: Translate): string {
  const told = { ...values, run: runText(values), state: t(`status.${statusKey(String(values.state))}`) };
  return t(values.waits === null ? 'reasonDetail.runs-child' : 'reasonDetail.childWaits', told);
}

function failedChildText(values: Values, t: Translate): string {
  const { failed = [], more = 0 } = values as { failed?: string[]; more?: number };
  return t('reasonDetail.child-failed', { ...values, run: runText(values), tasks: listText(failed, more, t) });
}

/** Which runs have the key that a run waits for, and how many wait before it. */
function keyText(values: Values, t: Translate): string {
  const { holders = [], more = 0, before = 0 } = values as { holders?: { runId: string }[]; more?: number; before?: number };
  const names = holders.map(({ runId }) => t('reasonKey.holder', { run: runId.slice(-8) }));
  const queued = t('reasonKey.queued', values);
  const told = names.length === 0 ? queued : t('reasonKey.heldBy', { told: queued, holders: listText(names, more, t) });
  return before > 0 ? t('reasonKey.before', { told, before }) : told;
}

/** What a quota counts, in words. */
export function quotaWord(resource: string, t: Translate): string {
  return t(resource === 'attempts' ? 'reasonLimit.attempts' : `obstacleResource.${resource}`);
}

function asksText({ asks }: WaitValues, t: Translate): string {
  if (asks === undefined) return '';
  const { runtime, labels, ...resources } = asks;
  const amounts = (Object.entries(resources) as [keyof typeof resources, number][]).filter(([, amount]) => amount !== 0);
  const parts = amounts.map(([name, amount]) => `${amountText(name, amount)} ${t(`obstacleResource.${name}`)}`);
  if (runtime !== null) parts.push(runtime);
  if (labels) parts.push(t('reasonDetail.itsLabels'));
  return listText(parts, 0, t);
}

function amountText(resource: string, amount: number): string {
  if (resource === 'cpuMillis') return formatCores(amount);
  return resource === 'gpuCount' || resource === 'attempts' ? String(amount) : formatMib(amount);
}

function parentsText(values: Values, t: Translate): string {
  const { mode, parents = [], more = 0 } = values as Partial<ParentValues>;
  if (parents.length === 0) return '';
  const told = parents.map(({ key, state, needed }) =>
    t('reasonDetail.parent', { key, state: t(`status.${statusKey(state)}`), needed: t(`need.${needed}`) }),
  );
  const list = listText(told, more, t);
  return mode === 'any' ? t('reasonDetail.oneOf', { list }) : list;
}

function statusKey(state: string): string {
  return state === 'retry-wait' ? 'retryWait' : state;
}

function retryText(values: Values, t: Translate): string {
  const next = typeof values.at === 'string' ? t('reasonDetail.retryAt', { at: timeText(values.at) }) : '';
  return [attemptText(values, t), next].filter((part) => part !== '').join(t('reasonDetail.semicolon'));
}

function attemptText(values: Values, t: Translate): string {
  const attempt = values.attempt as AttemptValues | undefined;
  if (attempt === undefined) return parentsText(values, t);
  const told = t(`reasonEnding.${endingKey(attempt)}`, { ...attempt });
  return attempt.detail === null ? told : t('reasonEnding.because', { told, detail: say(attempt.explanation, attempt.detail) });
}

/** What the last look found, and when the next one is. */
function lookText({ target, looks, found, lastAt, nextAt }: Values, t: Translate): string {
  if (looks === 0) return t('reasonDetail.notLooked', { target });
  const told = say(found as ForeignPhrase, '');
  return t('reasonDetail.waiting-for-http', { target, found: told, last: timeText(lastAt), next: timeText(nextAt) });
}

/** As the reader's language writes instants, with the zone. */
function timeText(at: unknown): string {
  return formatAbsolute(String(at), i18n.global.locale.value);
}

function decisionText({ by, at, comment }: Values, t: Translate): string {
  const told = t('reasonDetail.decided', { by, at: timeText(at) });
  return comment === '' ? told : t('reasonEnding.because', { told, detail: comment });
}

/** Who decided how it ends, when and why. */
function markText(values: Values, t: Translate): string {
  const { as, by, at, comment } = values as { as?: string; by?: string; at?: string; comment?: string };
  if (as === undefined || at === undefined) return '';
  return t('reasonDetail.marked', { as: t(`status.${as}`), by, at: timeText(at), comment });
}

function endingKey({ state, signal, exitCode }: AttemptValues): string {
  if (state !== 'failed') return state;
  if (signal !== null) return 'signal';
  return exitCode === null ? 'failed' : 'exitCode';
}

function listText(parts: readonly string[], more: number, t: Translate): string {
  const list = parts.join(t('reasonDetail.comma'));
  return more > 0 ? t('reasonDetail.andMore', { list, more }) : list;
}

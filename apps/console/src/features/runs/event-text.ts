import type { Reason, RunEvent } from '@medley/contracts';
import type { ForeignPhrase } from '@medley/core';
import { formatDuration } from '../../format/duration.js';
import { formatAbsolute } from '../../format/instant.js';
import { shortId } from '../../format/quantity.js';
import { faultText, say } from '../../i18n/phrases.js';
import { type AnyState, statusCatalogue } from '../../status/status-catalogue.js';
import { reasonDetail } from './reason-detail.js';

type Translate = (key: string, values?: Record<string, unknown>) => string;
type Data = Record<string, unknown>;

const signs: Partial<Record<RunEvent['kind'], AnyState>> = {
  'run-created': 'queued',
  'run-started': 'running',
  'run-paused': 'paused',
  'run-resumed': 'running',
  'cancel-requested': 'cancelling',
  'rerun-created': 'queued',
  'child-started': 'queued',
  'task-ready': 'ready',
  'attempt-dispatched': 'dispatched',
  'attempt-claimed': 'dispatched',
  'attempt-started': 'running',
  'attempt-stopping': 'stopping',
  'retry-planned': 'retry-wait',
};

/** The sign of an event: the state that it led to. */
export function eventState({ kind, data }: Pick<RunEvent, 'kind' | 'data'>): AnyState {
  return signs[kind] ?? (typeof data.state === 'string' && data.state in statusCatalogue ? (data.state as AnyState) : 'queued');
}

/** What an event says beside its kind and its task. */
export function eventText({ kind, data }: Pick<RunEvent, 'kind' | 'data'>, t: Translate, language: string): string {
  switch (kind) {
    case 'run-created':
      return createdText(data, t);
    case 'cancel-requested':
      return t(data.many ? 'runHistory.text.cancelledMany' : 'runHistory.text.cancelled', { by: nameOf(data.by, t) });
    case 'run-paused':
    case 'run-resumed':
      return t('runHistory.text.cancelled', { by: nameOf(data.by, t) });
    case 'rerun-created':
      return t('runHistory.text.rerun', { by: nameOf(data.by, t), run: shortId(String(data.runId)) });
    case 'child-started':
      return t('runHistory.text.child', { ...data, run: shortId(String(data.runId)) });
    case 'run-ended':
    case 'task-ended':
      return endedText(data, t);
    case 'attempt-dispatched':
      return t(data.prefetched ? 'runHistory.text.prefetched' : 'runHistory.text.dispatched', data);
    case 'attempt-claimed':
      return t('runHistory.text.claimed', {
        ...data,
        waited: typeof data.waitedSeconds === 'number' ? formatDuration(data.waitedSeconds * 1000, t) : '–',
      });
    case 'attempt-started':
      return t('runHistory.text.started', data);
    case 'attempt-stopping':
      return t('runHistory.text.stopping', { ...data, cause: causeText(data.cause, t) });
    case 'attempt-ended':
      return [t('runHistory.text.ended', { ...data, state: stateText(data.state, t) }), ...endingParts(data, t)].join(' · ');
    case 'retry-planned':
      return t('runHistory.text.retry', { number: data.number, at: data.retryAt ? formatAbsolute(String(data.retryAt), language) : '–' });
    default:
      return '';
  }
}

function createdText(data: Data, t: Translate): string {
  const values = { ...data, by: nameOf(data.by, t) };
  if (data.trigger === 'schedule') return t('runHistory.text.bySchedule', { ...values, schedule: data.schedule ?? '–' });
  if (data.trigger === 'webhook') return t('runHistory.text.byWebhook', { ...values, schedule: data.schedule ?? '–' });
  if (data.trigger === 'backfill') return t('runHistory.text.byBackfill', { ...values, schedule: data.schedule ?? '–' });
  if (data.trigger === 'parent')
    return t('runHistory.text.byParent', { ...values, parent: data.parentWorkflow ?? '–', run: shortId(String(data.parentRunId)) });
  return t(data.trigger === 'rerun' ? 'runHistory.text.byRerun' : 'runHistory.text.byHand', values);
}

function endedText(data: Data, t: Translate): string {
  if (data.keptFrom) return t('runHistory.text.kept');
  const reason = data.reason as Reason | null;
  return [stateText(data.state, t), reason && whyEnded(reason, t)].filter(Boolean).join(' · ');
}

/** Of a run that never began, its faults. */
function whyEnded(reason: Reason, t: Translate): string {
  if (reason.faults?.length) return reason.faults.map(faultText).join(t('reasonDetail.semicolon'));
  return reasonDetail(reason, t) ?? reasonOfEnd(reason.text, t);
}

/** The two reasons that nearly every task with one ends for, in the reader's language; whatever else the server or an agent told, as it was told. */
function reasonOfEnd(text: string, t: Translate): string {
  const code = /^ended with exit code (\d+)$/.exec(text)?.[1];
  if (code !== undefined) return t('runHistory.text.exitCode', { code });
  const [, parent, state, needed] = /^(\S+) (?:was )?(failed|skipped|cancelled|succeeded), needed: (\w+)$/.exec(text) ?? [];
  if (parent === undefined || needed === undefined) return text;
  return t('reasonDetail.parent', { key: parent, state: stateText(state, t), needed: t(`need.${needed}`) });
}

function endingParts({ exitCode, signal, detail, explanation }: Data, t: Translate): string[] {
  const code = exitCode === null || exitCode === undefined ? [] : [t('runHistory.text.exitCode', { code: exitCode })];
  return [
    ...code,
    ...[signal, say(explanation as ForeignPhrase | null | undefined, String(detail ?? ''))].filter(
      (each): each is string => typeof each === 'string' && each !== '',
    ),
  ];
}

function causeText(cause: unknown, t: Translate): string {
  return t(cause === 'timed_out' ? 'runHistory.cause.timed_out' : 'runHistory.cause.cancelled');
}

function stateText(state: unknown, t: Translate): string {
  return typeof state === 'string' && state in statusCatalogue ? t(statusCatalogue[state as AnyState].label) : '';
}

function nameOf(name: unknown, t: Translate): string {
  return typeof name === 'string' ? name : t('runHistory.somebody');
}

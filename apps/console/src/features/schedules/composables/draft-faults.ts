import { parseDuration, timetableOf } from '@medley/contracts';
import { cronFaultPhrase, phrase, readTimetable, type TimetableFault } from '@medley/core';
import { say } from '../../../i18n/phrases.js';
import { type ScheduleDraft, timetableOfDraft } from '../schedule-draft.js';
import { faultsOfUpstreams } from '../upstream-draft.js';
import { faultyPointers, isTolerance } from '../webhook-draft.js';

/** What is wrong with the fields of a draft, in the reader's language. */
export type FieldFaults = Partial<Record<TimetableFault['key'] | 'period' | 'jitter' | 'upstream' | 'webhook', string>>;

/** The faults of what says when a draft fires: none when it can be previewed and saved. `own` is its `project/workflow`. */
export function faultsOfDraft(draft: ScheduleDraft, own: string, t: (key: string) => string): FieldFaults {
  const faults: FieldFaults = {};
  const isPause = draft.rule === 'fixedRate' || draft.rule === 'fixedDelay';
  if (isPause && (parseDuration(draft.period.trim()) ?? 0) < 1) faults.period = t('schedules.periodFault');
  if (draft.rule !== 'upstream' && draft.rule !== 'webhook' && draft.jitter.trim() !== '' && parseDuration(draft.jitter.trim()) === null)
    faults.jitter = t('schedules.jitterFault');
  if (draft.rule === 'webhook') return faultsOfWebhook(draft, t);
  const [upstream] = draft.rule === 'upstream' ? faultsOfUpstreams(draft.upstream, own).filter((fault) => fault !== null) : [];
  if (upstream) faults.upstream = t(`schedules.${upstream}`);
  const read = readTimetable(timetableOf(timetableOfDraft(draft))!);
  if (!read.ok) for (const fault of read.faults) faults[fault.key] ??= textOf(fault);
  return faults;
}

function faultsOfWebhook({ webhook }: ScheduleDraft, t: (key: string) => string): FieldFaults {
  const isFine = faultyPointers(webhook).length === 0;
  if (isFine && isTolerance(webhook.tolerance)) return {};
  return { webhook: t(isFine ? 'schedules.toleranceFault' : 'schedules.pointerFault') };
}

function textOf(fault: TimetableFault): string {
  const what = fault.key === 'cron' ? cronFaultPhrase(fault) : fault.reason;
  return say(phrase('fault-and-expected', { fault: what, expected: fault.expected }), '');
}

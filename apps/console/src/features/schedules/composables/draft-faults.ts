import { parseDuration, timetableOf } from '@medley/contracts';
import { cronFaultPhrase, phrase, readTimetable, type TimetableFault } from '@medley/core';
import { say } from '../../../i18n/phrases.js';
import { type ScheduleDraft, timetableOfDraft } from '../schedule-draft.js';

/** What is wrong with the fields of a draft, in the reader's language. */
export type FieldFaults = Partial<Record<TimetableFault['key'] | 'period' | 'jitter', string>>;

/** The faults of what says when a draft fires: none when it can be previewed and saved. */
export function faultsOfDraft(draft: ScheduleDraft, t: (key: string) => string): FieldFaults {
  const faults: FieldFaults = {};
  const isPause = draft.rule === 'fixedRate' || draft.rule === 'fixedDelay';
  if (isPause && (parseDuration(draft.period.trim()) ?? 0) < 1) faults.period = t('schedules.periodFault');
  if (draft.jitter.trim() !== '' && parseDuration(draft.jitter.trim()) === null) faults.jitter = t('schedules.jitterFault');
  const read = readTimetable(timetableOf(timetableOfDraft(draft))!);
  if (!read.ok) for (const fault of read.faults) faults[fault.key] ??= textOf(fault);
  return faults;
}

function textOf(fault: TimetableFault): string {
  const what = fault.key === 'cron' ? cronFaultPhrase(fault) : fault.reason;
  return say(phrase('fault-and-expected', { fault: what, expected: fault.expected }), '');
}

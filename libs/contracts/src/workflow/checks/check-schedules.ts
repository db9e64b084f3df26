import { cronFaults, cronFieldPhrases, everFires, parseCron, phrase } from '@medley/core';
import { entries, entry, type WorkflowFault } from '../fault.js';

/** Stands for a missing expression, so that the zone beside it is checked all the same. */
const anyCron = '* * * * *';

/** That each schedule's cron and zone can be read, and that it ever fires. */
export function checkSchedules(document: unknown): WorkflowFault[] {
  return entries(entry(document, 'schedules')).flatMap(([name, schedule]) => [
    ...checkCron(['schedules', name], schedule),
    ...checkMisfire(['schedules', name, 'misfire', 'max'], entry(schedule, 'misfire')),
  ]);
}

/** Cron and zone are told apart, so that neither fault hides the other; a zone that is no text is reported elsewhere. */
function checkCron(path: string[], schedule: unknown): WorkflowFault[] {
  const cron = entry(schedule, 'cron');
  const zone = entry(schedule, 'zone') ?? 'UTC';
  const faults = cronFaults(typeof cron === 'string' ? cron : anyCron, typeof zone === 'string' ? zone : 'UTC');
  if (faults.length > 0) return faults.map((fault) => located(path, fault));
  return typeof cron === 'string' ? checkThatItFires(path, cron) : [];
}

function located(path: string[], { field, reason, expected }: ReturnType<typeof cronFaults>[number]): WorkflowFault {
  if (field === 'zone') return { path: [...path, 'zone'], text: reason, expected };
  const text =
    field === null
      ? phrase('cron-fault', { fault: reason })
      : phrase('cron-named-field-fault', { field: cronFieldPhrases[field], fault: reason });
  return { path: [...path, 'cron'], text, expected };
}

/** In any zone: a date that does not exist exists nowhere. */
function checkThatItFires(path: string[], cron: string): WorkflowFault[] {
  const parsed = parseCron(cron, 'UTC');
  if (!parsed.ok || everFires(parsed.rule)) return [];
  return [{ path: [...path, 'cron'], text: phrase('cron-never-fires', { cron }), expected: phrase('cron-date-form') }];
}

function checkMisfire(path: string[], misfire: unknown): WorkflowFault[] {
  const policy = entry(misfire, 'policy');
  if (entry(misfire, 'max') === undefined || policy === undefined || policy === 'run-all') return [];
  return [{ path, atKey: true, text: phrase('misfire-max-without-use', { policy: String(policy) }), expected: phrase('misfire-max-form') }];
}

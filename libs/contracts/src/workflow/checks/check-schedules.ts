import { cronFaults, cronFieldPhrases, everFires, hintOf, nearestName, parseCron, phrase } from '@medley/core';
import { entries, entry, isMap, type WorkflowFault } from '../fault.js';

/** Stands for a missing expression, so that the zone beside it is checked all the same. */
const anyCron = '* * * * *';

/** That each schedule's cron and zone can be read, and that it ever fires. */
export function checkSchedules(document: unknown): WorkflowFault[] {
  return entries(entry(document, 'schedules')).flatMap(([name, schedule]) => [
    ...checkRule(['schedules', name], schedule, document),
    ...checkMisfire(['schedules', name, 'misfire', 'max'], entry(schedule, 'misfire')),
  ]);
}

const ruleKeys = ['cron', 'webhook'] as const;

/** That one thing starts it, and that it can be read. */
function checkRule(path: string[], schedule: unknown, document: unknown): WorkflowFault[] {
  if (!isMap(schedule)) return [];
  const [first, second] = ruleKeys.filter((key) => entry(schedule, key) !== undefined);
  const expected = phrase('one-of', { names: ruleKeys });
  if (first === undefined) return [{ path, text: phrase('schedule-without-rule'), expected }, ...checkCron(path, schedule)];
  if (second !== undefined)
    return [
      { path: [...path, second], atKey: true, text: phrase('schedule-with-two-rules', { rule: first }), expected },
      ...checkCron(path, schedule),
    ];
  return [...checkCron(path, schedule), ...(first === 'webhook' ? checkWebhook(path, schedule, document) : [])];
}

/** What only fires of a time have means nothing here, and a payload gives parameters that there are. */
function checkWebhook(path: string[], schedule: unknown, document: unknown): WorkflowFault[] {
  const declared = entries(entry(document, 'parameters')).map(([name]) => name);
  const unknown = entries(entry(entry(schedule, 'webhook'), 'payload')).filter(([name]) => !declared.includes(name));
  const faults = unknown.map(([name]): WorkflowFault => {
    const nearest = nearestName(name, declared);
    const text = phrase('parameter-undeclared', { name, hint: hintOf(nearest) });
    const expected = declared.length === 0 ? phrase('no-parameters') : phrase('one-of', { names: declared });
    return { path: [...path, 'webhook', 'payload', name], atKey: true, text, expected };
  });
  if (entry(schedule, 'misfire') === undefined) return faults;
  const text = phrase('misfire-without-clock');
  return [...faults, { path: [...path, 'misfire'], atKey: true, text, expected: phrase('misfire-clock-form') }];
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

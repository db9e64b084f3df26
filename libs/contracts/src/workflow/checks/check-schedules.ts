import {
  cronFieldPhrases,
  everFires,
  hintOf,
  nearestName,
  type Phrase,
  parseCron,
  phrase,
  readTimetable,
  type TimetableFault,
  zoneFault,
} from '@medley/core';
import { parseDuration } from '../../resources/index.js';
import { entries, entry, type WorkflowFault } from '../fault.js';
import { ruleKeys, timetableOf } from '../normalise-schedule.js';
import type { TimetableDefinition } from '../schema/schedule.schema.js';
import { checkUpstream } from './check-upstream.js';

/** Keys that mean something with some rules only. */
const keyUses: readonly { key: string; rules: readonly string[] }[] = [
  { key: 'dialect', rules: ['cron'] },
  { key: 'gap', rules: ['cron'] },
  { key: 'overlapHour', rules: ['cron'] },
  { key: 'calendar', rules: ['cron', 'fixedRate', 'fixedDelay', 'upstream'] },
  { key: 'start', rules: ['cron', 'fixedRate', 'fixedDelay', 'upstream'] },
  { key: 'end', rules: ['cron', 'fixedRate', 'fixedDelay', 'upstream'] },
  { key: 'overlap', rules: ['cron', 'fixedRate', 'at', 'upstream'] },
  { key: 'misfire', rules: ['cron', 'fixedRate', 'fixedDelay', 'at'] },
  { key: 'jitter', rules: ['cron', 'fixedRate', 'fixedDelay', 'at'] },
];

/** That each schedule has one rule, that all of its timetable can be read, and that it ever fires. */
export function checkSchedules(document: unknown): WorkflowFault[] {
  return entries(entry(document, 'schedules')).flatMap(([name, schedule]) => [
    ...checkTimetable(['schedules', name], schedule, document),
    ...checkMisfire(['schedules', name, 'misfire', 'max'], entry(schedule, 'misfire')),
  ]);
}

function checkTimetable(path: string[], schedule: unknown, document: unknown): WorkflowFault[] {
  if (typeof schedule !== 'object' || schedule === null || Array.isArray(schedule)) return [];
  const [rule, other] = ruleKeys.filter((key) => entry(schedule, key) !== undefined);
  if (rule === undefined) return [{ path, text: phrase('schedule-without-rule'), expected: ruleForm() }, ...checkZone(path, schedule)];
  if (other !== undefined)
    return [{ path: [...path, other], atKey: true, text: phrase('schedule-with-two-rules', { rule }), expected: ruleForm() }];
  const ofRule =
    rule === 'webhook' ? checkWebhook(path, schedule, document) : rule === 'upstream' ? checkUpstream(path, schedule, document) : [];
  return [...checkUses(path, schedule, rule), ...checkForms(path, schedule), ...ofRule];
}

const ruleForm = () => phrase('one-of', { names: ruleKeys });

function checkUses(path: string[], schedule: unknown, rule: string): WorkflowFault[] {
  return keyUses
    .filter(({ key, rules }) => entry(schedule, key) !== undefined && !rules.includes(rule))
    .map(({ key, rules }) => ({
      path: [...path, key],
      atKey: true,
      text: phrase('schedule-key-without-use', { key, rule }),
      expected: phrase('schedule-key-form', { key, rules: rules.map((each) => `\`${each}\``) }),
    }));
}

/** Only what is a text is read; anything else has its fault from the schema. */
function checkForms(path: string[], schedule: unknown): WorkflowFault[] {
  const text = (key: string) => (typeof entry(schedule, key) === 'string' ? { [key]: entry(schedule, key) } : {});
  const dialect = entry(schedule, 'dialect') === 'quartz' ? { dialect: 'quartz' as const } : {};
  const periods = ['fixedRate', 'fixedDelay']
    .map(text)
    .filter((each) => Object.values(each).every((period) => parseDuration(String(period)) !== null));
  const upstream = entry(schedule, 'upstream') === undefined ? {} : { upstream: [] };
  const definition: TimetableDefinition = Object.assign(
    {},
    dialect,
    upstream,
    ...['cron', 'at', 'zone', 'start', 'end'].map(text),
    ...periods,
  );
  const timetable = timetableOf(definition);
  if (timetable === null) return checkZone(path, schedule);
  const read = readTimetable(timetable);
  if (!read.ok) return read.faults.map((fault) => located(path, fault));
  return definition.cron === undefined ? [] : checkThatItFires(path, definition.cron, dialect);
}

function checkZone(path: string[], schedule: unknown): WorkflowFault[] {
  const zone = entry(schedule, 'zone');
  const fault = typeof zone === 'string' ? zoneFault(zone) : null;
  return fault === null ? [] : [{ path: [...path, 'zone'], text: fault.reason, expected: fault.expected }];
}

function located(path: string[], { key, field, reason, expected }: TimetableFault): WorkflowFault {
  return { path: [...path, key], text: key === 'cron' ? cronText(field, reason) : reason, expected };
}

function cronText(field: TimetableFault['field'], reason: Phrase): Phrase {
  if (field === null) return phrase('cron-fault', { fault: reason });
  return phrase('cron-named-field-fault', { field: cronFieldPhrases[field], fault: reason });
}

/** In any zone: a date that does not exist exists nowhere. */
function checkThatItFires(path: string[], cron: string, dialect: { dialect?: 'quartz' }): WorkflowFault[] {
  const parsed = parseCron(cron, 'UTC', dialect);
  if (!parsed.ok || everFires(parsed.rule)) return [];
  return [{ path: [...path, 'cron'], text: phrase('cron-never-fires', { cron }), expected: phrase('cron-date-form') }];
}

/** A payload gives parameters that there are. */
function checkWebhook(path: string[], schedule: unknown, document: unknown): WorkflowFault[] {
  const declared = entries(entry(document, 'parameters')).map(([name]) => name);
  const unknown = entries(entry(entry(schedule, 'webhook'), 'payload')).filter(([name]) => !declared.includes(name));
  const faults = unknown.map(([name]): WorkflowFault => {
    const nearest = nearestName(name, declared);
    const text = phrase('parameter-undeclared', { name, hint: hintOf(nearest) });
    const expected = declared.length === 0 ? phrase('no-parameters') : phrase('one-of', { names: declared });
    return { path: [...path, 'webhook', 'payload', name], atKey: true, text, expected };
  });
  return faults;
}

function checkMisfire(path: string[], misfire: unknown): WorkflowFault[] {
  const policy = entry(misfire, 'policy');
  if (entry(misfire, 'max') === undefined || policy === undefined || policy === 'run-all') return [];
  return [{ path, atKey: true, text: phrase('misfire-max-without-use', { policy: String(policy) }), expected: phrase('misfire-max-form') }];
}

import { everFires, parseCron } from '@medley/core';
import { entries, entry, type WorkflowFault } from '../fault.js';

/** That each schedule's cron and zone can be read, and that it ever fires. */
export function checkSchedules(document: unknown): WorkflowFault[] {
  return entries(entry(document, 'schedules')).flatMap(([name, schedule]) => [
    ...checkCron(['schedules', name], schedule),
    ...checkMisfire(['schedules', name, 'misfire', 'max'], entry(schedule, 'misfire')),
  ]);
}

function checkCron(path: string[], schedule: unknown): WorkflowFault[] {
  const cron = entry(schedule, 'cron');
  const zone = entry(schedule, 'zone') ?? 'UTC';
  if (typeof cron !== 'string' || typeof zone !== 'string') return [];
  const parsed = parseCron(cron, zone);
  if (parsed.ok) {
    const message = `\`${cron}\` never fires: there is no such date`;
    return everFires(parsed.rule) ? [] : [{ path: [...path, 'cron'], message, expected: 'a date that exists' }];
  }
  const { field, reason, expected } = parsed.error;
  if (field === 'zone') return [{ path: [...path, 'zone'], message: reason, expected }];
  return [{ path: [...path, 'cron'], message: field === null ? `cron: ${reason}` : `cron, ${field}: ${reason}`, expected }];
}

function checkMisfire(path: string[], misfire: unknown): WorkflowFault[] {
  const policy = entry(misfire, 'policy');
  if (entry(misfire, 'max') === undefined || policy === undefined || policy === 'run-all') return [];
  return [
    { path, atKey: true, message: `\`max\` has no meaning with \`${String(policy)}\``, expected: '`max` only with `policy: run-all`' },
  ];
}

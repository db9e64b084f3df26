import { phrase } from '@medley/core';
import { entries, entry, taskEntries, type WorkflowFault } from '../fault.js';

export const maxTasks = 10_000;
const limits = { schedules: 200, parameters: 500 };

/** That the file has no more of anything than Medley is made for. The other checks run only within these limits. */
export function checkLimits(document: unknown): WorkflowFault[] {
  const tasks = taskEntries(document).length;
  if (tasks > maxTasks)
    return [
      {
        path: ['tasks'],
        atKey: true,
        text: phrase('too-many', { count: tasks, things: 'tasks' }),
        expected: phrase('at-most', { limit: maxTasks }),
      },
    ];
  return Object.entries(limits).flatMap(([key, limit]): WorkflowFault[] => {
    const count = entries(entry(document, key)).length;
    return count > limit
      ? [{ path: [key], atKey: true, text: phrase('too-many', { count, things: key }), expected: phrase('at-most', { limit }) }]
      : [];
  });
}

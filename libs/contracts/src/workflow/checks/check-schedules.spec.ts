import { describe, expect, it } from 'vitest';
import { parseWorkflowJson } from '../index.js';

describe('a schedule of the file', () => {
  const scheduleOf = (schedule: object) =>
    parseWorkflowJson({ medley: 1, project: 'p', workflow: 'w', schedules: { s: schedule }, tasks: { a: { run: 'x' } } });
  const faultsOf = (schedule: object) => {
    const parsed = scheduleOf(schedule);
    return parsed.ok ? [] : parsed.errors.map(({ path, message }) => `${path.replace('schedules.s', '')} ${message}`);
  };

  it.each([
    [{ fixedRate: '1h30m' }, { rule: { kind: 'fixed-rate', seconds: 5400 }, misfire: { policy: 'skip', max: 10 } }],
    [
      { fixedDelay: '5m', start: '2026-10-01' },
      { rule: { kind: 'fixed-delay', seconds: 300 }, start: '2026-10-01', end: null },
    ],
    [
      { at: '2027-01-01T08:00', overlap: 'queue' },
      { rule: { kind: 'one-shot' }, misfire: { policy: 'run-once' }, overlap: 'queue' },
    ],
    [
      { cron: '0 30 2 ? * 2-6', dialect: 'quartz', gap: 'skip', jitter: '60s' },
      { rule: { kind: 'cron', dialect: 'quartz', gap: 'skip', overlapHour: null }, jitterSeconds: 60 },
    ],
  ])('is resolved, case %#', (schedule, expected) => {
    const parsed = scheduleOf(schedule);
    expect(parsed.ok && parsed.normalised.schedules[0]).toMatchObject(expected);
  });

  it.each([
    [{ zone: 'UTC' }, ' nothing says what starts it'],
    [{ cron: '* * * * *', fixedRate: '1m' }, '.fixedRate it is started by `cron` already'],
    [{ fixedRate: '10' }, '.fixedRate `10` has no unit'],
    [{ fixedRate: '500ms' }, '.fixedRate `500ms` is too short'],
    [{ fixedDelay: '5m', overlap: 'skip' }, '.overlap `overlap` has no meaning with `fixedDelay`'],
    [{ at: '2026-10-01', dialect: 'quartz' }, '.dialect `dialect` has no meaning with `at`'],
    [{ at: 'tomorrow' }, '.at `tomorrow` is no instant'],
    [{ cron: '* * * * *', start: '2026-02-30' }, '.start `2026-02-30` is no instant'],
    [{ cron: '* * * * *', start: '2026-03-01', end: '2026-02-01' }, '.end `2026-02-01` is before the start, `2026-03-01`'],
    [{ cron: '0 0 30 2 *' }, '.cron `0 0 30 2 *` never fires: there is no such date'],
    [{ cron: '0 0 12 * * *', dialect: 'quartz' }, '.cron cron, weekday: day of month is `*` and weekday is `*`'],
    [{ at: '2026-03-01', calendar: 'x' }, '.calendar `calendar` has no meaning with `at`'],
  ])('is refused by its key, case %#', (schedule, expected) => {
    expect(faultsOf(schedule)).toContain(expected);
  });
});

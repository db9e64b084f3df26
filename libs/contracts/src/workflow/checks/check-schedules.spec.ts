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
    [
      {
        upstream: [{ workflow: 'billing', day: -1 }, { workflow: 'web/clicks', hours: 'all' }, { self: true }],
        calendar: 'cn',
        overlap: 'queue',
      },
      {
        rule: {
          kind: 'upstream',
          upstreams: [
            { project: null, workflow: 'billing', day: -1, hours: null },
            { project: 'web', workflow: 'clicks', day: 0, hours: 'all' },
            { project: null, workflow: null, day: -1, hours: null },
          ],
        },
        overlap: 'queue',
      },
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
    [{ upstream: [] }, '.upstream it has 0 entries'],
    [{ upstream: [{}] }, '.upstream.0 it names neither a workflow nor itself'],
    [{ upstream: [{ workflow: 'a', self: true }] }, '.upstream.0.self it names a workflow and itself'],
    [{ upstream: [{ self: true }] }, '.upstream it waits for nothing but itself'],
    [{ upstream: [{ workflow: 'w' }] }, '.upstream.0.workflow `w` is this workflow'],
    [{ upstream: [{ workflow: 'p/w' }] }, '.upstream.0.workflow `w` is this workflow'],
    [{ upstream: [{ workflow: 'a' }, { workflow: 'a' }] }, '.upstream.1 the same stands there already'],
    [{ upstream: [{ workflow: 'a' }, { self: true, day: 0 }] }, '.upstream.1.day a run cannot wait for its own success'],
    [{ upstream: [{ workflow: 'a' }, { self: true, hours: 'all' }] }, '.upstream.1.hours it has one run a date, not one an hour'],
    [{ upstream: [{ workflow: 'a', day: 1 }] }, '.upstream.0.day 1 is outside of -92 to 0'],
    [{ upstream: [{ workflow: 'A b' }] }, '.upstream.0.workflow `A b` is not allowed here'],
    [{ upstream: [{ workflow: 'a' }], jitter: '5s' }, '.jitter `jitter` has no meaning with `upstream`'],
    [{ upstream: [{ workflow: 'a' }], misfire: { policy: 'skip' } }, '.misfire `misfire` has no meaning with `upstream`'],
    [{ webhook: {}, misfire: { policy: 'skip' } }, '.misfire `misfire` has no meaning with `webhook`'],
  ])('is refused by its key, case %#', (schedule, expected) => {
    expect(faultsOf(schedule)).toContain(expected);
  });
});

import { parseWorkflowYaml, type ScheduleDefinition } from '@medley/contracts';
import type { ParameterDeclarations } from '@medley/core';
import { describe, expect, it } from 'vitest';
import { draftOfSchedule, readParameter, textWithoutSchedule, textWithSchedule } from './schedule-draft.js';

const text = `medley: 1
project: p
workflow: w
parameters:
  day: { type: date, default: "2026-01-01" }
  regions: { type: list, items: string, default: [north] }
schedules:
  # every night
  nightly:
    cron: "30 2 * * *"   # half past two
    zone: Asia/Shanghai
tasks:
  a: { run: "true" }
`;
const parsed = parseWorkflowYaml(text);
if (!parsed.ok) throw new Error('the text of the test has faults');
const definition = parsed.definition;
const declarations = definition.parameters as ParameterDeclarations;
const before = definition.schedules!.nightly as ScheduleDefinition;
const changed = (fields: object, from: string | null = 'nightly') => {
  const old = from === null ? undefined : before;
  return textWithSchedule(text, { from, before: old, draft: { ...draftOfSchedule(from ?? '', old, 'UTC'), ...fields }, declarations });
};

describe('the draft of a schedule', () => {
  it('changes nothing in the text when nothing was changed', () => {
    expect(changed({})).toBe(text);
  });

  it('changes the rule and keeps what people wrote beside it', () => {
    expect(changed({ plan: { mode: 'hourly', minute: 5 } })).toBe(text.replace('"30 2 * * *"   #', '5 * * * *   #'));
  });

  it('writes parameters in their type, and the misfire only where it differs from the default', () => {
    const after = parseWorkflowYaml(
      changed({ parameters: { regions: 'a\nb', day: '${' + '{ schedule.date }}' }, misfirePolicy: 'run-all' }),
    );
    expect(after.ok && after.definition.schedules!.nightly).toEqual({
      cron: '30 2 * * *',
      zone: 'Asia/Shanghai',
      parameters: { regions: ['a', 'b'], day: '${' + '{ schedule.date }}' },
      misfire: { policy: 'run-all' },
    });
  });

  it.each([
    'upstream: [{ workflow: billing, day: 0 }, { self: true, day: -1 }]   # all there',
    'webhook: { perMinute: 60, payload: { day: /d } }   # called',
  ])('leaves %s as it stands, also what would be usual', (rule) => {
    const other = text.replace('cron: "30 2 * * *"   # half past two', rule);
    const read = parseWorkflowYaml(other);
    const old = read.ok ? (read.definition.schedules!.nightly as ScheduleDefinition) : undefined;
    expect(textWithSchedule(other, { from: 'nightly', before: old, draft: draftOfSchedule('nightly', old, 'UTC'), declarations })).toBe(
      other,
    );
  });

  it('renames, adds and removes', () => {
    expect(changed({ name: 'daily' })).toBe(text.replace('nightly:', 'daily:'));
    const added = changed({ name: 'second', zone: 'UTC' }, null);
    expect(added).toBe(text.replace('tasks:', '  second:\n    cron: 30 2 * * *\n    zone: UTC\ntasks:'));
    expect(textWithoutSchedule(added, 'nightly', false)).not.toContain('every night');
    expect(parseWorkflowYaml(textWithoutSchedule(text, 'nightly', true)).ok).toBe(true);
    expect(textWithoutSchedule(text, 'nightly', true)).not.toContain('schedules:');
  });

  it('tells what a value should have been', () => {
    expect(readParameter({ type: 'date' }, 'tomorrow')).toMatchObject({ ok: false, expected: { code: 'a-date' } });
    expect(readParameter({ type: 'list', items: 'integer' }, '1\n2')).toEqual({ ok: true, value: [1, 2] });
  });

  it('says other kinds of rules by their own keys, and its policies only where they are not as usual', () => {
    const rate = parseWorkflowYaml(changed({ rule: 'fixedRate', period: '90s', start: '2026-10-01', overlap: 'queue', jitter: '10s' }));
    expect(rate.ok && rate.definition.schedules!.nightly).toEqual({
      fixedRate: '90s',
      zone: 'Asia/Shanghai',
      start: '2026-10-01',
      jitter: '10s',
      overlap: 'queue',
    });
    const quartz = parseWorkflowYaml(changed({ dialect: 'quartz', plan: { mode: 'free', cron: '0 30 2 ? * 2-6' }, gap: 'skip' }));
    expect(quartz.ok && quartz.definition.schedules!.nightly).toMatchObject({ cron: '0 30 2 ? * 2-6', dialect: 'quartz', gap: 'skip' });
    const upstream = [
      { workflow: 'billing', day: 0, allHours: false },
      { workflow: 'web/clicks', day: -1, allHours: true },
      { workflow: null, day: -1, allHours: false },
    ];
    const dates = parseWorkflowYaml(
      changed({ rule: 'upstream', upstream, overlap: 'queue', calendar: 'cn', jitter: '5s', misfirePolicy: 'run-all' }),
    );
    expect(dates.ok && dates.definition.schedules!.nightly).toEqual({
      upstream: [{ workflow: 'billing' }, { workflow: 'web/clicks', day: -1, hours: 'all' }, { self: true }],
      zone: 'Asia/Shanghai',
      calendar: 'cn',
      overlap: 'queue',
    });
    const webhook = { isMapped: true, pointers: { day: '/order/day', regions: ' ' }, perMinute: 5, tolerance: '5m' };
    const called = parseWorkflowYaml(changed({ rule: 'webhook', webhook, overlap: 'queue', jitter: '5s', start: '2026-01-01' }));
    expect(called.ok && called.definition.schedules!.nightly).toEqual({
      webhook: { payload: { day: '/order/day' }, perMinute: 5 },
      zone: 'Asia/Shanghai',
    });
    const once = parseWorkflowYaml(changed({ rule: 'at', at: '2027-01-01T08:00', misfirePolicy: 'run-once' }));
    expect(once.ok && once.definition.schedules!.nightly).toEqual({ at: '2027-01-01T08:00', zone: 'Asia/Shanghai' });
  });
});

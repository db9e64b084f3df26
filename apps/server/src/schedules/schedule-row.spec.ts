import type { StartRule } from '@medley/core';
import { describe, expect, it } from 'vitest';
import { rowOfRule, ruleOfRow } from './schedule-row.js';

const cron = { kind: 'cron', cron: '30 2 * * *', dialect: 'unix', gap: null, overlapHour: null } as const;

describe('the columns of a rule', () => {
  it.each<StartRule>([
    cron,
    { ...cron, cron: '0 30 2 ? * 2-6', dialect: 'quartz', gap: 'skip', overlapHour: 'twice' },
    { kind: 'fixed-rate', seconds: 90 },
    { kind: 'fixed-delay', seconds: 5 },
    { kind: 'one-shot', at: '2027-01-01T08:00' },
    { kind: 'webhook', payload: { day: '/order/day' }, perMinute: 60, toleranceSeconds: 300 },
  ])('give back $kind as it was', (rule) => {
    expect(ruleOfRow(rowOfRule(rule))).toEqual(rule);
  });

  it('are those that every cron schedule had before there were other kinds', () => {
    expect(rowOfRule(cron)).toEqual({ kind: 'cron', cron: '30 2 * * *', rule: {} });
  });
});

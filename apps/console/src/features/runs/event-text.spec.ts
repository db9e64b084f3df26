// @vitest-environment happy-dom
import { runEventKindSchema } from '@medley/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { i18n, setLanguage } from '../../i18n/i18n.js';
import { eventState, eventText } from './event-text.js';

const t = (key: string, values: Record<string, unknown> = {}) => i18n.global.t(key, values);
const text = (kind: Parameters<typeof eventText>[0]['kind'], data: Record<string, unknown> = {}) => eventText({ kind, data }, t, 'en');

describe('an event of a run', () => {
  beforeAll(() => setLanguage('en'));

  it('tells who or what started it, where each attempt went and how it ended', () => {
    expect(text('run-created', { trigger: 'manual', by: 'ada', version: 3, tasks: 5 })).toBe('by ada, version 3, tasks: 5');
    expect(text('run-created', { trigger: 'schedule', schedule: 'nightly', version: 3, tasks: 5 })).toContain('schedule nightly');
    expect(text('cancel-requested', { by: 'ada', many: false })).toBe('by ada');
    expect(text('cancel-requested', { by: 'ada', many: true })).toBe('by ada, with others');
    expect(text('attempt-dispatched', { number: 2, fence: 2, node: 'alpha', prefetched: false })).toBe('attempt 2 to alpha, fence 2');
    expect(text('attempt-dispatched', { number: 2, fence: 2, node: 'alpha', prefetched: true })).toBe('attempt 2 ahead to alpha, fence 2');
    expect(text('attempt-claimed', { number: 1, node: 'alpha', waitedSeconds: 0.25 })).toBe('attempt 1 by alpha after 250 ms');
    expect(text('attempt-ended', { number: 1, node: 'alpha', state: 'failed', exitCode: 7, detail: 'disk full' })).toBe(
      'attempt 1 on alpha: Failed · exit code 7 · disk full',
    );
    expect(text('task-ended', { state: 'skipped', reason: { text: 'its parent failed' } })).toBe('Skipped · its parent failed');
    expect(text('task-ended', { state: 'failed', reason: { text: 'ended with exit code 3' } })).toBe('Failed · exit code 3');
    expect(text('task-ended', { state: 'skipped', reason: { text: 'check was cancelled, needed: succeeded' } })).toBe(
      'Skipped · check (is: Cancelled; needed: has succeeded)',
    );
  });

  it('has a sign, and no text with a hole where a value is missing', () => {
    for (const kind of runEventKindSchema.options) {
      expect(eventState({ kind, data: { state: 'failed' } })).toBeTruthy();
      expect(text(kind, { runId: '01890000-0000-7000-8000-000000000000' })).not.toMatch(/undefined|null|NaN/);
    }
  });
});

// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { i18n, setLanguage } from '../../i18n/i18n.js';
import { reasonLine } from './reason-text.js';

const t = (key: string) => `[${key}]`;

describe('a reason in one line', () => {
  it('does not repeat the general part of the text behind its headline', () => {
    const reason = { code: 'no-capacity', text: 'every node that fits is full: strong 1 of 1 cores reserved' };
    expect(reasonLine(reason, t)).toBe('[reason.no-capacity] · strong 1 of 1 cores reserved');
  });

  it('is said in the reader’s language where it came as a phrase, also of one attempt for several reasons', async () => {
    await setLanguage('zh-CN');
    const told = (key: string, values: Record<string, unknown> = {}) => i18n.global.t(key, values);
    const explanation = {
      code: 'ending-and',
      values: { first: { code: 'timed-out-after', values: { seconds: 3 } }, second: { code: 'agent-forgot' } },
    };
    expect(reasonLine({ code: 'timed_out', text: 'timed out after 3 s', explanation }, told)).toBe('3 秒后超时；其代理不再知道此次尝试');
    expect(reasonLine({ code: 'map-stopped', text: 'It never began: an earlier item failed.' }, told)).not.toMatch(/[A-Za-z]/);
    const values = { mode: 'all', parents: [{ key: 'load', state: 'failed', needed: 'succeeded' }], more: 0 };
    expect(reasonLine({ code: 'skipped', text: 'load failed, needed: succeeded', values }, told)).toMatch(/load（.*失败/);
  });

  it('keeps a text without a general part, and one of a code the console does not know', () => {
    expect(reasonLine({ code: 'no-node', text: 'the pool has no node' }, t)).toBe('[reason.no-node] · the pool has no node');
    expect(reasonLine({ code: 'of-a-later-version', text: 'limit a: 3 of 3' }, t)).toBe('limit a: 3 of 3');
  });
});

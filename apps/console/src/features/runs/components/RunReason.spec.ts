// @vitest-environment happy-dom
import { fieldError, phrase } from '@medley/core';
import { mount } from '@vue/test-utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { i18n, setLanguage } from '../../../i18n/i18n.js';
import RemovedNodeList from './RemovedNodeList.vue';
import RunReason from './RunReason.vue';

const global = { plugins: [i18n] };

describe('in Chinese', () => {
  beforeAll(() => setLanguage('zh-CN'));
  afterAll(() => setLanguage('en'));

  it('a run that never began tells why, by field', () => {
    const faults = [fieldError('parameters.day', phrase('parameter-without-value', { name: 'day' }), phrase('a-date'))];
    const text = mount(RunReason, { props: { reason: { code: 'parameter-invalid', text: 'in English', faults } }, global }).text();
    expect(text).toContain('`day` 没有值，也没有默认值');
    expect(text).not.toContain('in English');
  });

  it('a run of an older version, which has its English text only, still tells it', () => {
    const text = mount(RunReason, { props: { reason: { code: 'parameter-invalid', text: 'told before' } }, global }).text();
    expect(text).toContain('told before');
  });

  it('nodes that a filter removed are told with the reason, also by decisions that were stored with its English text only', () => {
    const group = { filter: 'labels', count: 1, reason: 'labels do not match: gpu = t4', examples: ['a'] };
    const rows = (removed: object) => mount(RemovedNodeList, { props: { removed: [{ ...group, ...removed }] }, global }).text();
    expect(rows({ phrase: phrase('removed-labels', { labels: 'gpu = t4' }) })).toContain('标签不匹配：gpu = t4');
    expect(rows({})).not.toContain('do not match');
  });
});

// @vitest-environment happy-dom
import { mount } from '@vue/test-utils';
import { describe, expect, it } from 'vitest';
import { i18n, setLanguage } from '../i18n/i18n.js';
import StatusBadge from './StatusBadge.vue';

describe('a state on screen', () => {
  it.each([
    ['en', 'Timed out'],
    ['zh-CN', '超时'],
  ] as const)('has its word in %s, with a sign beside it', async (language, word) => {
    await setLanguage(language);
    const badge = mount(StatusBadge, { props: { state: 'timed_out' }, global: { plugins: [i18n] } });
    expect(badge.text()).toBe(word);
    expect(badge.find('svg path').attributes('d')).toBeTruthy();
  });
});

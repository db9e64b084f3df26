// @vitest-environment happy-dom
import { mount } from '@vue/test-utils';
import { createPinia } from 'pinia';
import { afterAll, describe, expect, it } from 'vitest';
import { createMemoryHistory, createRouter } from 'vue-router';
import { i18n, setLanguage } from '../i18n/i18n.js';
import RoomClosed from './RoomClosed.vue';

/** The room as its address opens it for somebody without any role. */
async function closed(title: string, needs: 'audit:read' | 'node:write'): Promise<string> {
  const router = createRouter({ history: createMemoryHistory(), routes: [{ path: '/', component: RoomClosed, meta: { title } }] });
  await router.push('/');
  return mount(RoomClosed, { props: { needs }, global: { plugins: [i18n, createPinia(), router] } }).text();
}

describe('a room that the reader may not enter', () => {
  afterAll(() => setLanguage('en'));

  it('says its name, that it is closed, and who can grant what is missing', async () => {
    await setLanguage('en');
    const text = await closed('nav.audit', 'audit:read');
    expect(text).toContain('Audit');
    expect(text).toContain('You may not open this page');
    expect(text).toContain('grants it under Access');
  });

  it('sends to a platform administrator for what no role of a project gives', async () => {
    await setLanguage('zh-CN');
    expect(await closed('nav.nodes', 'node:write')).toContain('平台管理员由其他平台管理员');
  });
});

// @vitest-environment happy-dom
import { mount } from '@vue/test-utils';
import { createPinia } from 'pinia';
import { beforeAll, describe, expect, it } from 'vitest';
import { nextTick, ref } from 'vue';
import { createMemoryHistory, createRouter } from 'vue-router';
import { i18n, setLanguage } from '../i18n/i18n.js';
import DataList from './DataList.vue';

interface Thing {
  id: string;
  state: string;
}

const things = (text: string): Thing[] => text.split(' ').map((word) => ({ id: word[0]!, state: word.slice(2) }));

async function listOf(first: string) {
  const router = createRouter({ history: createMemoryHistory(), routes: [{ path: '/', component: { template: '' } }] });
  await router.push('/');
  const data = ref({ items: things(first), nextCursor: null });
  const isPlaceholderData = ref(false);
  const view = mount(DataList<Thing>, {
    attachTo: document.body,
    props: {
      query: { data, error: ref(null), isPlaceholderData, refetch: () => undefined },
      columns: [{ name: 'state', label: 'common.actions' }],
      none: 'nothing',
    },
    slots: { state: '<template #state="{ item }">{{ item.id }}:{{ item.state }} <a href="#">{{ item.id }}</a></template>' },
    global: { plugins: [i18n, createPinia(), router] },
  });
  const rows = () => view.findAll('tbody tr').map((row) => `${row.text().slice(0, 3)}${row.classes('gone') ? ' gone' : ''}`);
  return {
    view,
    rows,
    router,
    waiting: () => view.find('.waiting'),
    body: () => view.get('tbody'),
    turn: (isOld: boolean) => {
      isPlaceholderData.value = isOld;
    },
    async bring(next: string) {
      data.value = { items: next ? things(next) : [], nextCursor: null };
      await nextTick();
      await nextTick();
    },
  };
}

describe('the rows of a list', () => {
  beforeAll(() => setLanguage('en'));

  it('take a new order at once while nobody is at them', async () => {
    const { rows, bring, waiting } = await listOf('a:1 b:1');
    await bring('c:1 b:2 a:1');
    expect(rows()).toEqual(['c:1', 'b:2', 'a:1']);
    expect(waiting().exists()).toBe(false);
  });

  it('keep their places under the pointer, take new values, and take the new order when it leaves', async () => {
    const { rows, bring, waiting, body } = await listOf('a:1 b:1 c:1');
    await body().trigger('pointermove');
    await bring('d:1 c:2 a:1');
    expect(rows()).toEqual(['a:1', 'b:1 gone', 'c:2']);
    expect(waiting().text()).toBe('1 new: show');
    await body().trigger('pointerleave');
    expect(rows()).toEqual(['d:1', 'c:2', 'a:1']);
    expect(waiting().exists()).toBe(false);
  });

  it('show what waits when asked, though the pointer is still there', async () => {
    const { rows, bring, waiting, body } = await listOf('a:1');
    await body().trigger('pointermove');
    await bring('b:1 a:1');
    await waiting().trigger('click');
    expect(rows()).toEqual(['b:1', 'a:1']);
  });

  it('let a row go at once on which something was pressed', async () => {
    const { view, rows, bring, body } = await listOf('a:1 b:1');
    await body().trigger('pointermove');
    await view.get('tbody tr').trigger('click');
    await bring('b:1');
    expect(rows()).toEqual(['b:1']);
  });

  it('keep their places while the focus is in them', async () => {
    const { view, rows, bring } = await listOf('a:1 b:1');
    const link = view.get('tbody a').element as HTMLElement;
    link.focus();
    await bring('b:1 a:1');
    expect(rows()).toEqual(['a:1', 'b:1']);
    link.blur();
    await nextTick();
    expect(rows()).toEqual(['b:1', 'a:1']);
  });

  it('give way to another page under a pointer at rest', async () => {
    const { rows, bring, body, router, turn } = await listOf('a:1 b:1');
    await body().trigger('pointermove');
    await bring('c:1 d:1');
    expect(rows()).toEqual(['a:1 gone', 'b:1 gone']);
    await router.push('/?after=x');
    await bring('e:1 f:1');
    expect(rows()).toEqual(['e:1', 'f:1']);
    await body().trigger('pointermove');
    turn(true);
    await bring('f:1 e:1');
    expect(rows()).toEqual(['f:1', 'e:1']);
  });
});

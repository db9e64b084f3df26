// @vitest-environment happy-dom
import type { TaskRunItem } from '@medley/contracts';
import { mount } from '@vue/test-utils';
import { beforeAll, describe, expect, it } from 'vitest';
import { i18n, setLanguage } from '../../../i18n/i18n.js';
import TaskList from './TaskList.vue';

const items: TaskRunItem[] = Array.from({ length: 1312 }, (_, index) => ({
  id: `id-${index}`,
  key: `task-${index}`,
  position: index,
  state: 'succeeded',
  reason: null,
  tries: 1,
  readyAt: null,
  retryAt: null,
  startedAt: '2026-01-01T00:00:00.000Z',
  finishedAt: '2026-01-01T00:00:01.500Z',
  keptFrom: null,
  attempt: null,
}));
const list = (selected: string) => mount(TaskList, { props: { items, selected }, global: { plugins: [i18n] } });

describe('the list of a run’s tasks', () => {
  beforeAll(() => setLanguage('en'));

  it('builds rows only for what is in sight', () => {
    const rows = list('').findAll('.paper [role=row]');
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.length).toBeLessThan(80);
    expect(rows[0]!.text()).toContain('task-0');
    expect(rows[0]!.text()).toContain('Succeeded');
    expect(rows[0]!.text()).toContain('1.5 s');
  });

  it('counts the try that is under way', () => {
    const attempt = { id: 'x', number: 1, state: 'running' as const, nodeId: 'n', node: 'alpha' };
    const view = mount(TaskList, {
      props: { items: [{ ...items[0]!, state: 'running', tries: 0, attempt }], selected: '' },
      global: { plugins: [i18n] },
    });
    expect(view.findAll('.paper [role=gridcell]')[3]!.text()).toBe('1');
  });

  it('moves the selection with the arrows and stops at the ends', async () => {
    const view = list('task-1');
    await view.trigger('keydown', { key: 'ArrowDown' });
    await view.setProps({ selected: 'task-0' });
    await view.trigger('keydown', { key: 'ArrowUp' });
    expect(view.emitted('select')).toEqual([['task-2'], ['task-0']]);
  });
});

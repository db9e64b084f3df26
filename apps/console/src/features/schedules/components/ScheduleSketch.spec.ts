// @vitest-environment happy-dom
import { mount } from '@vue/test-utils';
import { beforeAll, describe, expect, it } from 'vitest';
import { i18n, setLanguage } from '../../../i18n/i18n.js';
import type { CronPlan } from '../cron-plan.js';
import CronBuilder from './CronBuilder.vue';
import FirePreview from './FirePreview.vue';
import ScheduleSketch from './ScheduleSketch.vue';

const stubs = { CronBuilder: true, FirePreview: true, ElSelectV2: true };
const sketch = (plan: CronPlan) => mount(ScheduleSketch, { props: { plan, zone: 'Asia/Shanghai' }, global: { plugins: [i18n], stubs } });

describe('a schedule before its workflow is chosen', () => {
  beforeAll(() => setLanguage('en'));

  it('is previewed in its zone', () => {
    const rule = sketch({ mode: 'daily', hour: 2, minute: 30 }).getComponent(FirePreview).props('rule');
    expect(rule).toEqual({ cron: '30 2 * * *', zone: 'Asia/Shanghai' });
  });

  it('is not previewed while its expression has a fault, which is told', () => {
    const view = sketch({ mode: 'free', cron: '99 * * * *' });
    expect(view.getComponent(FirePreview).props('rule')).toBeNull();
    expect(view.getComponent(CronBuilder).props('fault')).toMatch(/99/);
  });
});

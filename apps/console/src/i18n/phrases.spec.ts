// @vitest-environment happy-dom
import { parseWorkflowYaml } from '@medley/contracts';
import { mount } from '@vue/test-utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import FaultList from '../features/workflows/components/FaultList.vue';
import { i18n, setLanguage } from './i18n.js';
import { say } from './phrases.js';

const text = `medley: 1
project: demo
workflow: w
schedules:
  s: { cron: "99 * * * *", zone: Mars }
tasks:
  a: { run: x, needs: [b], timeout: 30, labels: "os =" }
  c: { run: y, resources: { memory: 4 } }
`;

describe('faults on screen', () => {
  beforeAll(() => setLanguage('zh-CN'));
  afterAll(() => setLanguage('en'));

  it('of a workflow file hold no English but what its writer wrote', () => {
    const parsed = parseWorkflowYaml(text);
    const faults = parsed.ok ? [] : parsed.errors;
    expect(faults.length).toBe(6);
    const list = mount(FaultList, { props: { faults }, global: { plugins: [i18n] } });
    for (const line of list.findAll('li')) {
      const told = line.text().replace(/`[^`]*`|^.*?tasks\S*|^.*?schedules\S*/g, '');
      expect(told).toMatch(/\p{Script=Han}/u);
      expect(told).not.toMatch(/[a-z]{3,} [a-z]{2,}/);
    }
  });

  it('of a newer server are told as it told them', () => {
    expect(say({ code: 'of-tomorrow' }, 'told in English')).toBe('told in English');
    expect(say(undefined, 'told in English')).toBe('told in English');
  });
});

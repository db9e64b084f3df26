import { describe, expect, it } from 'vitest';
import { createI18n } from 'vue-i18n';
import { messages as english } from '../../i18n/messages/en/index.js';
import { messages as chinese } from '../../i18n/messages/zh-cn/index.js';
import { ruleInWords } from './rule-words.js';

const i18n = createI18n({ legacy: false, locale: 'en', messages: { en: english, 'zh-CN': chinese } });
const words = (rule: Parameters<typeof ruleInWords>[0], language: 'en' | 'zh-CN') =>
  ruleInWords(rule, (key, values) => i18n.global.t(key, values ?? {}, { locale: language }), language);
const quartz = (cron: string) => ({ kind: 'cron' as const, cron, dialect: 'quartz' as const, gap: null, overlapHour: null });

describe('a rule in words', () => {
  it.each([
    [
      quartz('0 0 9 ? * 2-6'),
      'On Monday, Tuesday, Wednesday, Thursday, and Friday at 09:00',
      '每逢星期一、星期二、星期三、星期四和星期五 09:00',
    ],
    [quartz('0 30 2 L * ? 2027'), 'On the last day of the month at 02:30, in 2027', '每月最后一天 02:30，2027 年'],
    [{ kind: 'fixed-rate' as const, seconds: 5400 }, 'Every 1h30m', '每隔 1h30m'],
    [{ kind: 'fixed-delay' as const, seconds: 5 }, '5s after each run has ended', '每次运行结束 5s 后'],
    [quartz('0 0 9 LW * ?'), 'at 09:00, on the last working day of the month', '在 09:00，每月最后一个工作日'],
    [quartz('0 0 9 15W * ?'), 'at 09:00, on the working day nearest to day 15 of the month', '在 09:00，最接近每月 15 日的工作日'],
    [
      quartz('0 0 9 L-3W * ?'),
      'at 09:00, on the working day nearest to 3 d before the last day of the month',
      '在 09:00，最接近每月最后一天前 3 天的工作日',
    ],
    [
      {
        kind: 'upstream' as const,
        upstreams: [
          { project: null, workflow: 'billing', day: 0, hours: null },
          { project: 'web', workflow: 'clicks', day: -1, hours: 'all' as const },
          { project: null, workflow: null, day: -1, hours: null },
        ],
      },
      'Each day after billing, web/clicks (1 d before) (all hours), its own run before',
      '每日在 billing、web/clicks（前 1 天）（全部小时）、自身上一次运行 之后',
    ],
    [{ kind: 'one-shot' as const, at: '2027-01-01T08:00' }, 'Once, at 2027-01-01 08:00', '仅一次，2027-01-01 08:00'],
  ])('case %#', (rule, en, zh) => {
    expect(words(rule, 'en')).toBe(en);
    expect(words(rule, 'zh-CN')).toBe(zh);
  });
});

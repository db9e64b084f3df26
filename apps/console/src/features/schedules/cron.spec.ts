import { describe, expect, it } from 'vitest';
import { createI18n } from 'vue-i18n';
import { messages as english } from '../../i18n/messages/en/index.js';
import { messages as chinese } from '../../i18n/messages/zh-cn/index.js';
import { cronOf, planInMode, planOf } from './cron-plan.js';
import { cronInWords } from './cron-words.js';

const i18n = createI18n({ legacy: false, locale: 'en', messages: { en: english, 'zh-CN': chinese } });
const words = (cron: string, language: 'en' | 'zh-CN' = 'en') =>
  cronInWords(cron, (key, values) => i18n.global.t(key, values ?? {}, { locale: language }), language);

describe('the plan of a cron expression', () => {
  it.each(['* * * * *', '*/15 * * * *', '7 * * * *', '30 2 * * *', '0 9 * * 1,3,5', '0 6 L * *', '15 23 31 * *'])(
    '%s is a plan that says it again',
    (cron) => {
      const plan = planOf(cron);
      expect(plan.mode).not.toBe('free');
      expect(cronOf(plan)).toBe(cron);
    },
  );

  it.each(['*/7 * * * *', '0 9 * 1 *', '0 9 1 * 1', '0 0 9 * * *', '0 9 * * 1#2', 'x'])('%s is free text', (cron) => {
    expect(planOf(cron)).toEqual({ mode: 'free', cron });
  });

  it('knows names and ranges of weekdays, and Sunday as 7', () => {
    expect(planOf('0 9 * * MON-WED,7')).toMatchObject({ mode: 'weekly', days: [0, 1, 2, 3] });
  });

  it('keeps the time of day when the mode changes', () => {
    expect(cronOf(planInMode('weekly', planOf('30 4 * * *')))).toBe('30 4 * * 1,2,3,4,5');
    expect(planInMode('free', planOf('30 4 * * *'))).toEqual({ mode: 'free', cron: '30 4 * * *' });
  });
});

describe('a cron expression in words', () => {
  it.each([
    ['*/10 * * * *', 'Every 10 minutes', '每 10 分钟'],
    ['30 2 * * *', 'Every day at 02:30', '每天 02:30'],
    ['0 9 * * MON-TUE', 'On Monday and Tuesday at 09:00', '每逢星期一和星期二 09:00'],
    ['0 6 L * *', 'On the last day of the month at 06:00', '每月最后一天 06:00'],
    ['0 6,18 1,15 * *', 'at 06:00, 18:00, on day 1,15 of the month', '在 06:00, 18:00，每月 1,15 日'],
    ['*/5 8-17 * 1,7 MON', 'every 5 minutes, in hour 8-17, on Monday, in January and July', '每 5 分钟，8-17 时，每逢星期一，一月和七月'],
    ['*/10 * * * * *', 'every 10 seconds, every minute, every day', '每 10 秒，每分钟，每天'],
  ])('%s', (cron, en, zh) => {
    expect(words(cron)).toBe(en);
    expect(words(cron, 'zh-CN')).toBe(zh);
  });
});

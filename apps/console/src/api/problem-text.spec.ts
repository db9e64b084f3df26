// @vitest-environment happy-dom
import { errorCodes, phrase } from '@medley/core';
import { afterAll, describe, expect, it } from 'vitest';
import { i18n, setLanguage } from '../i18n/i18n.js';
import { ApiProblem } from './api-problem.js';
import { problemDetail, problemTitle } from './problem-text.js';

const { t } = i18n.global;
const problem = (code: string, more: object = {}) =>
  new ApiProblem({ type: 'about:blank', title: 'A title', status: 400, code, detail: 'A detail.', requestId: 'r', ...more });

describe('a refusal on screen', () => {
  afterAll(() => setLanguage('en'));

  it('has a title of its own in both languages, whatever its code', async () => {
    for (const language of ['en', 'zh-CN'] as const) {
      await setLanguage(language);
      const untitled = [...errorCodes, 'unreachable'].filter((code) => problemTitle(problem(code), t) === 'A title');
      expect(untitled).toEqual([]);
    }
  });

  it('tells its detail in Chinese where it came as a phrase, otherwise as it was told', async () => {
    await setLanguage('zh-CN');
    const explained = problem('cron-invalid', { explanation: phrase('zone-unknown', { zone: 'Mars' }) });
    expect([problemDetail(explained), problemDetail(problem('not-found'))]).toEqual(['`Mars` 不是已知的时区', 'A detail.']);
  });

  it('leaves a detail out that only repeats the faults of its fields', () => {
    expect(problemDetail(problem('workflow-invalid', { fields: [{ path: 'a', message: 'b' }] }))).toBe('');
  });
});

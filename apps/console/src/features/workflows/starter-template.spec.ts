import { parseWorkflowYaml } from '@medley/contracts';
import { describe, expect, it } from 'vitest';
import { workflows as english } from '../../i18n/messages/en/workflows.js';
import { workflows as chinese } from '../../i18n/messages/zh-cn/workflows.js';
import { starterTemplate } from './starter-template.js';

describe('the starter template', () => {
  it.each([english.starter, chinese.starter])('is a valid workflow of the given project in each language', (words) => {
    const parsed = parseWorkflowYaml(starterTemplate('growth', words));
    expect(parsed.ok ? [] : parsed.errors).toEqual([]);
    expect(parsed.ok && parsed.normalised).toMatchObject({ project: 'growth', description: words.description });
  });

  it('speaks to Chinese readers in Chinese', () => {
    const text = starterTemplate('growth', chinese.starter);
    for (const line of text.split('\n').filter((each) => /^\s*#|^description/.test(each))) expect(line).toMatch(/\p{Script=Han}/u);
  });
});

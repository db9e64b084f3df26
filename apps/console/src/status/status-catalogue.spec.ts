import { nodeStateSchema } from '@medley/contracts';
import { attemptStates, runStates, taskRunStates } from '@medley/core';
import { describe, expect, it } from 'vitest';
import { messages as english } from '../i18n/messages/en/index.js';
import { messages as chinese } from '../i18n/messages/zh-cn/index.js';
import { glyphs } from './glyphs.js';
import { statusCatalogue } from './status-catalogue.js';

const states = [...runStates, ...taskRunStates, ...attemptStates, ...nodeStateSchema.options];

describe('every state', () => {
  it.each([...new Set(states)])('%s has a colour, a sign and a word in each language', (state) => {
    const look = statusCatalogue[state];
    expect(glyphs[look.glyph]).toBeTruthy();
    const word = look.label.replace('status.', '') as keyof typeof english.status;
    expect(english.status[word]).toBeTruthy();
    expect(chinese.status[word]).toBeTruthy();
  });

  it('differs from the others by its sign and colour together', () => {
    const taskLooks = taskRunStates.map((state) => `${statusCatalogue[state].glyph} ${statusCatalogue[state].tone}`);
    expect(new Set(taskLooks).size).toBe(taskRunStates.length);
  });
});

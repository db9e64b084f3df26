import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { hintOf, inEnglish, phrase, phraseTexts, sayPhrase } from './index.js';

const blanks = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!).sort();
const entries = Object.entries(phraseTexts) as [string, Record<string, string>][];

/** The sources of what may tell a phrase. */
function sources(): string {
  const root = fileURLToPath(new URL('../../../../', import.meta.url));
  const folders = ['apps/server/src', 'apps/agent/src', 'libs/core/src', 'libs/contracts/src'];
  const files = folders.flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).map((name) => `${root}${folder}/${name}`),
  );
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.includes('/phrases/texts/'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

describe('every phrase', () => {
  it('has a text in both languages, and the Chinese one is not the English', () => {
    const isWords = (text: string) => /[A-Za-z]{2,} [A-Za-z]{2,}/.test(text.replace(/`[^`]*`/g, ''));
    for (const [code, texts] of entries) {
      expect(Object.keys(texts), code).toEqual(['en', 'zh-CN']);
      if (isWords(texts.en!)) expect(texts['zh-CN'], code).toMatch(/\p{Script=Han}/u);
    }
  });

  it('has the same blanks in both languages', () => {
    for (const [code, texts] of entries)
      expect({ code, blanks: blanks(texts['zh-CN']!) }).toEqual({ code, blanks: blanks(texts.en!).filter((name) => name !== 'english') });
  });

  it('stands in one table only', () => {
    const folder = new URL('./texts/', import.meta.url);
    const tables = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
    const codes = tables.flatMap((table) => [...table.matchAll(/^ {2}'?([\w-]+)'?: \{/gm)].map((match) => match[1]!));
    expect(codes.toSorted()).toEqual(entries.map(([code]) => code).toSorted());
  });

  it('is told somewhere', () => {
    const text = sources();
    expect(entries.map(([code]) => code).filter((code) => !/^yaml-/.test(code) && !text.includes(`'${code}'`))).toEqual([]);
  });
});

describe('a phrase', () => {
  const fault = phrase('need-unknown', { task: 'load', need: 'extrct', hint: hintOf('extract') });

  it('is said in each language, with the phrases within it', () => {
    expect(inEnglish(fault)).toBe('task `load` needs `extrct`, which is not a task of this workflow; did you mean `extract`?');
    expect(sayPhrase(fault, 'zh-CN')).toBe('任务 `load` 依赖 `extrct`，但工作流中没有这个任务；是否想写 `extract`？');
  });

  it('joins lists as the language does', () => {
    const choices = phrase('one-of', { names: ['a', 'b'] });
    expect([inEnglish(choices), sayPhrase(choices, 'zh-CN')]).toEqual(['one of: a, b', '以下之一：a、b']);
  });

  it('of another version is said when its code is known, whatever its values, and not said otherwise', () => {
    expect(sayPhrase({ code: 'of-tomorrow' }, 'zh-CN')).toBeNull();
    expect(sayPhrase({ code: 'constructor' }, 'en')).toBeNull();
    expect(sayPhrase({ code: 'zone-unknown' }, 'en')).toBe('`{zone}` is not a known zone');
    expect(sayPhrase({ code: 'zone-unknown', values: { zone: { code: 'of-tomorrow' } } }, 'en')).toBe('`of-tomorrow` is not a known zone');
    expect(sayPhrase({ code: 'zone-unknown', values: { zone: null } }, 'en')).toBe('`null` is not a known zone');
  });
});

// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, describe, expect, it } from 'vitest';
import { setLanguage } from '../i18n/i18n.js';
import { editorPhraseKeys, editorPhrases } from './editor-phrases.js';

const require = createRequire(import.meta.url);
const packages = ['autocomplete', 'commands', 'language', 'lint', 'search', 'view'];
const sources = packages.map((name) => readFileSync(require.resolve(`@codemirror/${name}`), 'utf8')).join('\n');
const said = [...sources.matchAll(/phrase\(([^;\n]*)/g)].flatMap(([, call]) => [...call!.matchAll(/"([^"]+)"/g)].map((match) => match[1]!));

describe("the editor's own texts", () => {
  afterAll(() => setLanguage('en'));

  it('are all known to us', () => {
    const known = Object.keys(editorPhraseKeys);
    const telling = said.filter((text) => /^[A-Za-z][A-Za-z $]+$/.test(text));
    expect(telling.length).toBeGreaterThan(20);
    expect([...new Set(telling)].filter((text) => !known.includes(text))).toEqual([]);
  });

  it('are said in Chinese, and in English as they are', async () => {
    await setLanguage('zh-CN');
    for (const [phrase, text] of Object.entries(editorPhrases())) expect(text, phrase).toMatch(/\p{Script=Han}/u);
    await setLanguage('en');
    for (const [phrase, text] of Object.entries(editorPhrases())) expect(text).toBe(phrase);
  });
});

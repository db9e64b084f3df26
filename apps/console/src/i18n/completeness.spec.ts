import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isProjectPermission, permissions } from '@medley/core';
import { describe, expect, it } from 'vitest';
import { createI18n } from 'vue-i18n';
import { messages as english } from './messages/en/index.js';
import { messages as chinese } from './messages/zh-cn/index.js';

const sourceDirectory = resolve(__dirname, '..');

function flatten(value: object, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(value).flatMap(([key, text]) =>
      typeof text === 'string' ? [[`${prefix}${key}`, text] as const] : [...flatten(text as object, `${prefix}${key}.`)],
    ),
  );
}

const texts = { en: flatten(english), 'zh-CN': flatten(chinese) };

function sources(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return entry.name === 'messages' ? [] : sources(path);
    return /\.(vue|ts)$/.test(entry.name) && !entry.name.endsWith('.spec.ts') ? [readFileSync(path, 'utf8')] : [];
  });
}

const files = sources(sourceDirectory);
const all = files.join('\n');
const spaces = [...new Set([...texts.en.keys()].map((key) => key.split('.')[0]!))].join('|');
/** Keys written out in quotes, whether handed to `t` at once or through a table. Double ones hold expressions of templates, as `backfill.total`. */
const literal = new Set([...all.matchAll(new RegExp(`'((?:${spaces})(?:\\.[A-Za-z0-9-]+)+)'`, 'g'))].map((match) => match[1]!));
/** Beginnings of keys that end with a value: t(`runs.pane.${name}`). */
const composed = new Set([...all.matchAll(new RegExp(`\`((?:${spaces})\\.(?:[A-Za-z0-9-]+\\.)*)\\$\\{`, 'g'))].map((match) => match[1]!));

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!).sort();

describe('the texts', () => {
  it('exist in both languages under the same keys, none empty', () => {
    expect([...texts['zh-CN'].keys()].sort()).toEqual([...texts.en.keys()].sort());
    for (const language of Object.values(texts)) expect([...language].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('take the same values and plural forms in both languages', () => {
    for (const [key, text] of texts.en) {
      const other = texts['zh-CN'].get(key)!;
      expect({ key, takes: placeholders(other) }).toEqual({ key, takes: placeholders(text) });
      expect({ key, forms: other.split(' | ').length }).toEqual({ key, forms: text.split(' | ').length });
    }
  });

  it('compile, whatever signs they hold: a brace or an @ means something to the compiler', () => {
    for (const [locale, messages] of Object.entries({ en: english, 'zh-CN': chinese })) {
      const { t } = createI18n({ legacy: false, locale, messages: { [locale]: messages }, fallbackWarn: false, missingWarn: false }).global;
      const named = Object.fromEntries([...texts.en.values()].flatMap((text) => placeholders(text).map((name) => [name, 'X'])));
      const broken = [...texts.en.keys()].filter((key) => {
        try {
          return /[{}]/.test(t(key, named));
        } catch {
          return true;
        }
      });
      expect(broken).toEqual([]);
    }
  });

  it('are defined wherever the source names one', () => {
    const missing = [...literal].filter((key) => !texts.en.has(key) && ![...composed].some((prefix) => prefix === `${key}.`));
    expect(missing).toEqual([]);
    const empty = [...composed].filter((prefix) => ![...texts.en.keys()].some((key) => key.startsWith(prefix)));
    expect(empty).toEqual([]);
  });

  it('name every permission that a role in a project can give', () => {
    const named = [...texts.en.keys()].filter((key) => key.startsWith('access.permissions.'));
    const given = permissions.filter(isProjectPermission).map((permission) => `access.permissions.${permission.replace(':', '-')}`);
    expect(named.sort()).toEqual(given.sort());
  });

  it('are all used', () => {
    const unused = [...texts.en.keys()].filter((key) => !literal.has(key) && ![...composed].some((prefix) => key.startsWith(prefix)));
    expect(unused).toEqual([]);
  });

  it('never stand in a template without a key', () => {
    const templates = files.flatMap((source) => /^<template>\n[\s\S]*\n<\/template>$/m.exec(source)?.[0] ?? []);
    expect(templates.length).toBeGreaterThan(50);
    const words = templates.flatMap((template) =>
      [...template.matchAll(/>\s*([A-Za-z][A-Za-z ]{3,})\s*</g)].map((match) => match[1]!.trim()),
    );
    expect(words.filter((word) => !['Medley', 'YAML'].includes(word))).toEqual([]);
  });
});

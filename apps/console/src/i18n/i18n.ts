import { createI18n } from 'vue-i18n';
import type { Messages } from './messages/en/index.js';

export type Language = 'en' | 'zh-CN';
export const languages: readonly Language[] = ['en', 'zh-CN'];

const loaders: Record<Language, () => Promise<Messages>> = {
  en: async () => (await import('./messages/en/index.js')).messages,
  'zh-CN': async () => (await import('./messages/zh-cn/index.js')).messages,
};

export const i18n = createI18n({
  legacy: false,
  locale: 'en',
  fallbackLocale: false,
  messages: {},
  // In the built console too, where the library would say nothing: whoever tests the console in a browser then hears of it.
  missing: (locale, key) => {
    console.error(`No text in ${locale} for ${key}`);
    return key;
  },
  fallbackWarn: false,
});

/** Loads a language's texts when they are not there yet and shows them. */
export async function setLanguage(language: Language): Promise<void> {
  if (!i18n.global.availableLocales.includes(language)) i18n.global.setLocaleMessage(language, await loaders[language]());
  (i18n.global.locale as unknown as { value: string }).value = language;
  document.documentElement.lang = language;
}

/** What the browser asks for, as far as we have it. */
export function preferredLanguage(): Language {
  return navigator.languages.some((tag) => tag.toLowerCase().startsWith('zh')) && !/^en/i.test(navigator.language) ? 'zh-CN' : 'en';
}

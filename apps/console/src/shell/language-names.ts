import type { Language } from '../i18n/i18n.js';

/** Languages are named in themselves, so that whoever landed in the wrong one finds the way out. */
export const languageNames: Record<Language, string> = { en: 'English', 'zh-CN': '中文' };

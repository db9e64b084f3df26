import { defineStore } from 'pinia';
import { computed, ref, watch, watchEffect } from 'vue';
import { type Language, preferredLanguage, setLanguage } from '../i18n/i18n.js';

export type ThemeChoice = 'light' | 'dark' | 'system';

interface Stored {
  language?: Language;
  theme?: ThemeChoice;
  isNavigationFolded?: boolean;
  project?: string | null;
}

const STORAGE_KEY = 'medley.preferences';

/** What a person chose for this browser. */
export const usePreferences = defineStore('preferences', () => {
  const stored = readStored();
  const language = ref<Language>(stored.language ?? preferredLanguage());
  const theme = ref<ThemeChoice>(stored.theme ?? 'system');
  const isNavigationFolded = ref(stored.isNavigationFolded ?? false);
  /** Id of the project that lists are limited to; null for all. */
  const project = ref<string | null>(stored.project ?? null);

  const systemIsDark = ref(matchMedia('(prefers-color-scheme: dark)').matches);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (event) => {
    systemIsDark.value = event.matches;
  });
  const isDark = computed(() => (theme.value === 'system' ? systemIsDark.value : theme.value === 'dark'));

  watchEffect(() => document.documentElement.classList.toggle('dark', isDark.value));
  watch([language, theme, isNavigationFolded, project], () => {
    writeStored({
      language: language.value,
      theme: theme.value,
      isNavigationFolded: isNavigationFolded.value,
      project: project.value,
    });
  });

  async function chooseLanguage(next: Language): Promise<void> {
    await setLanguage(next);
    language.value = next;
  }

  return { language, theme, isNavigationFolded, project, isDark, chooseLanguage };
});

function readStored(): Stored {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Stored;
  } catch {
    return {};
  }
}

function writeStored(value: Stored): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(value));
  } catch {
    // A browser without storage forgets the choice; nothing else depends on it.
  }
}

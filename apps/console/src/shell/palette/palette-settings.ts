import { Bell, Moon, Reading } from '@element-plus/icons-vue';
import { type ComputedRef, computed } from 'vue';
import { useI18n } from 'vue-i18n';
import { useRouter } from 'vue-router';
import { languages } from '../../i18n/i18n.js';
import { type ThemeChoice, usePreferences } from '../../preferences/preferences.store.js';
import { languageNames } from '../language-names.js';
import { useRoomGroups } from '../navigation.js';
import type { PaletteEntry } from './palette-entry.js';
import { openOverlay } from './palette-state.js';

const themes: readonly ThemeChoice[] = ['light', 'dark', 'system'];

/** The rooms of the navigation, and what can be set for this browser. */
export function useFixedEntries(): ComputedRef<PaletteEntry[]> {
  const { t } = useI18n();
  const router = useRouter();
  const preferences = usePreferences();
  const roomGroups = useRoomGroups();
  const action = (key: string, title: string, icon: PaletteEntry['icon'], perform: PaletteEntry['perform']): PaletteEntry => ({
    key,
    group: 'actions',
    title,
    icon,
    perform,
  });
  const pages = (): PaletteEntry[] =>
    roomGroups.value.flatMap(({ rooms }) =>
      rooms.map(({ route, label, icon }) => ({
        key: `page ${route}`,
        group: 'pages' as const,
        title: t(label),
        icon,
        perform: async () => void (await router.push({ name: route })),
      })),
    );
  const setTheme = (theme: ThemeChoice) => () => {
    preferences.theme = theme;
  };
  const showKeys = () => {
    openOverlay.value = 'keys';
  };
  return computed(() => [
    ...pages(),
    ...themes.map((theme) => action(`theme ${theme}`, `${t('shell.theme')}: ${t(`shell.themes.${theme}`)}`, Moon, setTheme(theme))),
    ...languages.map((language) =>
      action(`language ${language}`, `${t('shell.language')}: ${languageNames[language]}`, Reading, () =>
        preferences.chooseLanguage(language),
      ),
    ),
    action('keys', t('keys.title'), Bell, showKeys),
  ]);
}

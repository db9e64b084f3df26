import { computed, type Ref } from 'vue';
import { useI18n } from 'vue-i18n';
import { useMay } from '../../session/may.js';
import { matches, type PaletteEntry, searchedText } from './palette-entry.js';
import { useHitEntries } from './palette-hits.js';
import { usePaletteSearch } from './palette-search.js';
import { useFixedEntries } from './palette-settings.js';
import { recentHits } from './recent-hits.js';

/** The lines of the palette for a text: pages and settings from here, everything that is stored from the server. */
export function usePaletteEntries(text: Ref<string>) {
  const { t } = useI18n();
  const may = useMay();
  const verbs = computed(() => [t('palette.verb.run'), t('palette.verb.cancel')]);
  const { hits, isSearching } = usePaletteSearch(text, verbs);
  const fixed = useFixedEntries();
  const { wayTo, actionOn } = useHitEntries();

  const entries = computed<PaletteEntry[]>(() => {
    const wanted = text.value.trim();
    if (wanted === '') return [...recentHits.value.map((hit) => wayTo(hit, 'recent')), ...fixed.value];
    const matching = fixed.value.filter(({ title }) => matches(title, wanted));
    const actions = [
      ...(may('run:operate').allowed ? hits.value.flatMap(actionOn) : []).filter(({ title }) => beginsLike(title, wanted, verbs.value)),
      ...matching.filter(({ group }) => group === 'actions'),
    ];
    if (searchedText(wanted, verbs.value) !== wanted) return actions;
    return [...matching.filter(({ group }) => group === 'pages'), ...hits.value.map((hit) => wayTo(hit, 'found')), ...actions];
  });
  return { entries, isSearching };
}

/** Once a verb was typed, only what it does is offered. */
function beginsLike(title: string, wanted: string, verbs: readonly string[]): boolean {
  const verb = verbs.find((each) => wanted.toLowerCase().startsWith(`${each.toLowerCase()} `));
  return verb === undefined || title.startsWith(verb);
}

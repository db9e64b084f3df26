import { computed } from 'vue';
import { usePreferences } from '../preferences/preferences.store.js';
import { useSession } from '../session/session.store.js';
import { useCursorPaging } from './cursor-paging.js';
import { useFilterWords } from './filter-words.js';
import type { ListColumn } from './list-column.js';
import { useListSort } from './list-sort.js';

/** What stands in the address of a list of things that always belong to one project: which one, what narrows the list, its order and page. */
export function useProjectList<Sort extends string>(columns: readonly ListColumn[], first: Sort) {
  const session = useSession();
  const preferences = usePreferences();
  const { cursor } = useCursorPaging();
  const {
    words: { search, project },
    clear,
  } = useFilterWords('search', 'project');
  const projects = computed(() => session.me?.projects ?? []);
  /** The one of the address, else that of the top bar, else the first. */
  const projectId = computed({
    get: () => {
      const asked = [project.value, preferences.project].find((id) => projects.value.some((each) => each.id === id));
      return asked ?? projects.value[0]?.id ?? '';
    },
    set: (id) => {
      project.value = id;
    },
  });
  const sort = useListSort(() => columns, first);
  const filter = computed(() => ({ search: search.value || undefined, sort: sort.value, cursor: cursor.value }));
  return { search, projectId, sort, filter, clear };
}

import { computed, type Ref } from 'vue';
import { useI18n } from 'vue-i18n';
import { useRoute, useRouter } from 'vue-router';
import { canvasThreshold, type GraphTask } from '../../graph/graph-model.js';
import { groupTasks } from '../../graph/group-tasks.js';
import { changeQuery, useQueryList, useQueryWord } from '../../router/query-state.js';
import { statusCatalogue } from '../../status/status-catalogue.js';

/** The graph of a large run with its groups collapsed, as the address says; what is selected or found in a group stands for the group. */
export function useTaskGroups(graph: Ref<GraphTask[]>, selected: Ref<string>, matching: Ref<ReadonlySet<string> | null>) {
  const { t } = useI18n();
  const route = useRoute();
  const router = useRouter();
  const word = useQueryWord('groups');
  const opened = useQueryList('open');
  const canGroup = computed(() => graph.value.length > canvasThreshold);
  const isGrouped = computed(() => canGroup.value && word.value === 'collapsed');
  const grouped = computed(() =>
    isGrouped.value
      ? groupTasks(graph.value, new Set(opened.value), (members, state) => {
          const count = t('workflows.taskCount', members.length);
          return state === undefined
            ? count
            : `${count} · ${members.filter((member) => member.state === state).length} ${t(statusCatalogue[state].label)}`;
        })
      : null,
  );
  const drawn = (key: string) => grouped.value?.groupOf.get(key) ?? key;
  const names = computed(() => new Set(grouped.value?.groupOf.values()));

  return {
    canGroup,
    isGrouped,
    tasks: computed(() => grouped.value?.tasks ?? graph.value),
    selected: computed(() => drawn(selected.value)),
    matching: computed(() => (matching.value === null ? null : new Set([...matching.value].map(drawn)))),
    /** Opens the group of this name; false where it is none. */
    open(key: string | null): boolean {
      if (key === null || !names.value.has(key)) return false;
      opened.value = [...opened.value, key];
      return true;
    },
    turn: () => changeQuery(route, router, { groups: isGrouped.value ? undefined : 'collapsed', open: undefined }),
  };
}

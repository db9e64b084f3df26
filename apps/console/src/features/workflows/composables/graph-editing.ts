import type { TaskKind, WorkflowDefinition } from '@medley/contracts';
import { computed, type Ref, ref } from 'vue';
import { useI18n } from 'vue-i18n';
import type { WorkflowEdit } from '../../../editor/workflow-edit.js';
import type { GraphTask } from '../../../graph/graph-model.js';
import { tellProblem } from '../../../parts/notify.js';
import { newTask } from '../task-draft.js';
import { freeKey, leadsTo } from '../workflow-graph.js';

interface Edited {
  tasks: Ref<readonly GraphTask[]>;
  definition: Ref<WorkflowDefinition | null>;
  edit: (change: WorkflowEdit) => Promise<void>;
}

/** What a person does on the canvas: selecting, opening, and the edits of the graph. */
export function useGraphEditing({ tasks, definition, edit }: Edited) {
  const { t } = useI18n();
  const selected = ref<string | null>(null);
  const opened = ref<string | null>(null);
  const openedTask = computed(() =>
    opened.value === null ? undefined : (definition.value?.tasks[opened.value] ?? definition.value?.finally?.[opened.value]),
  );

  async function add(kind: string): Promise<void> {
    const key = freeKey(kind, new Set(tasks.value.map((task) => task.key)));
    const behind = selected.value === null ? {} : { needs: [selected.value] };
    await edit({ kind: 'add-task', key, task: { ...behind, ...newTask(kind as TaskKind) } });
    selected.value = key;
    opened.value = key;
  }

  async function remove(key: string): Promise<void> {
    if (opened.value === key) opened.value = null;
    selected.value = null;
    await edit({ kind: 'remove-tasks', keys: [key] });
  }

  async function rename(to: string): Promise<void> {
    const key = opened.value;
    if (key === null) return;
    await edit({ kind: 'rename-task', key, to });
    selected.value = to;
    opened.value = to;
  }

  async function connect(from: string, to: string): Promise<void> {
    if (from === to || leadsTo(tasks.value, to, from)) tellProblem(t('workflows.circle', { from, to }), t);
    else await edit({ kind: 'connect', from, to });
  }

  function open(key: string): void {
    selected.value = key;
    opened.value = key;
  }

  return {
    selected,
    opened,
    openedTask,
    add,
    remove,
    rename,
    connect,
    open,
    disconnect: (from: string, to: string) => edit({ kind: 'disconnect', from, to }),
  };
}

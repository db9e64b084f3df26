import type { TaskDefinition, WorkflowDefinition } from '@medley/contracts';
import { computed, onBeforeUnmount, ref, watch } from 'vue';
import type { WorkflowEdit } from '../../../editor/workflow-edit.js';
import { type DraftFault, draftOf, editsBetween, faultsOfTask, sectionOf, type TaskDraft, taskOf } from '../task-draft.js';

const pauseMs = 300;

interface Drafted {
  taskKey: string;
  task: TaskDefinition;
  definition: WorkflowDefinition;
  isReadOnly: boolean;
}

/** A draft of one task that is checked as it is typed, and written into the text in a pause of typing while it has no fault. */
export function useTaskDrafting(props: Drafted, emitEdit: (edit: WorkflowEdit) => void) {
  const draft = ref<TaskDraft>(draftOf(props.task));
  /** The task as it was last read or written here: anything else comes from the text, or from an undo. */
  let known = comparable(props.task);
  let timer: ReturnType<typeof setTimeout> | undefined;

  const drafted = computed(() => taskOf(draft.value, props.task));
  const faults = computed<Map<string, DraftFault>>(() => faultsOfTask(props.taskKey, drafted.value, props.definition));

  watch(
    () => props.task,
    (task) => {
      const now = comparable(task);
      if (now === known) return;
      known = now;
      draft.value = draftOf(task);
    },
  );

  /** Writes what is drafted without waiting for the pause. */
  function write(): void {
    clearTimeout(timer);
    if (props.isReadOnly || faults.value.size > 0) return;
    const edits = editsBetween(
      [sectionOf(props.taskKey, props.definition), props.taskKey],
      JSON.parse(known),
      JSON.parse(comparable(drafted.value)),
    );
    if (edits.length === 0) return;
    known = comparable(drafted.value);
    emitEdit({ kind: 'yaml', edits, task: props.taskKey });
  }

  watch(
    draft,
    () => {
      clearTimeout(timer);
      timer = setTimeout(write, pauseMs);
    },
    { deep: true },
  );
  onBeforeUnmount(write);

  return { draft, faults, write };
}

/** The same text for the same task: the order of keys does not count, and needs are edited as edges of the graph. */
function comparable({ needs: _, ...task }: Record<string, unknown>): string {
  return JSON.stringify(task, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
      : value,
  );
}

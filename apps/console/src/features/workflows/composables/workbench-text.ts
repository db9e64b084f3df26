import type { WorkflowDefinition, WorkflowVersionView } from '@medley/contracts';
import { computed, type Ref, ref, shallowRef, watch } from 'vue';
import type { WorkflowEdit } from '../../../editor/workflow-edit.js';
import { changeBetween, type TextChange } from '../../../editor/yaml-edit.js';
import type { GraphLayout, GraphTask } from '../../../graph/graph-model.js';
import { readingOf, type WorkflowReading } from '../reading/read-workflow.js';
import { useWorkflowReader } from './workflow-reader.js';

const pauseMs = 150;

/** The text that is being written, with what was last read out of it. Canvas and forms change it by edits, one after the other. */
export function useWorkbenchText(initial: string, stored: WorkflowVersionView | null, apply: (change: TextChange) => void) {
  const reader = useWorkflowReader();
  const text = ref(initial);
  const reading = shallowRef<WorkflowReading>(
    stored === null ? { ok: false, errors: [] } : readingOf(stored.definition as WorkflowDefinition),
  );
  /** The text that `reading` was read from. */
  const readText = ref(stored === null ? '' : initial);
  /** While the text has faults the graph shows the last one that had none. */
  const graph = shallowRef<{ tasks: GraphTask[]; layout: GraphLayout | null }>({ tasks: [], layout: null });
  const definition = shallowRef<WorkflowDefinition | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function readNow(): Promise<void> {
    clearTimeout(timer);
    const asked = text.value;
    const answer = await reader.read(asked);
    if (asked !== text.value) return;
    reading.value = answer;
    readText.value = asked;
  }
  watch(text, () => {
    clearTimeout(timer);
    timer = setTimeout(readNow, pauseMs);
  });
  watch(
    reading,
    (next) => {
      if (!next.ok) return;
      graph.value = { tasks: next.tasks, layout: next.layout };
      definition.value = next.definition;
    },
    { immediate: true },
  );
  void readNow();

  let last: Promise<void> = Promise.resolve();
  /** Edits the text as it is when the edits before have been made; typing in between wins, and the edit is made upon it. */
  function edit(change: WorkflowEdit): Promise<void> {
    last = last.then(async () => {
      for (;;) {
        const before = text.value;
        const after = await reader.edit(before, change);
        if (before !== text.value) continue;
        const difference = changeBetween(before, after);
        if (difference !== null) apply(difference);
        await readNow();
        return;
      }
    });
    return last;
  }

  const faults = computed(() => (reading.value.ok ? [] : reading.value.errors));
  const isCurrent = computed(() => readText.value === text.value);
  return { text, reading, graph, definition, faults, isCurrent, edit };
}

/** What the text was written upon, and what to do when somebody saved a newer version meanwhile. */
export function useBasis(text: Ref<string>, stored: Ref<WorkflowVersionView | null>, initial: string) {
  const saved = ref(stored.value === null ? '' : initial);
  const basis = shallowRef(stored.value);
  const newer = shallowRef<WorkflowVersionView | null>(null);
  const isDirty = computed(() => text.value !== saved.value);
  watch(stored, (next) => {
    if (next === null || next.checksum === basis.value?.checksum) return;
    if (isDirty.value && next.yaml !== text.value) newer.value = next;
    else takeOver(next);
  });

  /** Goes on with this text, written upon the newer version from now on. */
  function keepMine(version: WorkflowVersionView): void {
    basis.value = version;
    saved.value = version.yaml;
    newer.value = null;
  }
  function takeOver(version: WorkflowVersionView): void {
    keepMine(version);
    text.value = version.yaml;
  }
  return { saved, basis, newer, isDirty, keepMine, takeOver };
}

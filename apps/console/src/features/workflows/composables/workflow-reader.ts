import { onBeforeUnmount } from 'vue';
import type { WorkflowEdit } from '../../../editor/workflow-edit.js';
import type { WorkflowReading } from '../reading/read-workflow.js';

type Answer = { id: number; answer: unknown } | { id: number; fault: string };

/** Reads and edits workflow texts in a worker of its own, which ends with the component. */
export function useWorkflowReader() {
  const worker = new Worker(new URL('../reading/reading.worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if ('fault' in data) asked?.reject(new Error(data.fault));
    else asked?.resolve(data.answer);
  });
  onBeforeUnmount(() => worker.terminate());

  function ask(question: object): Promise<unknown> {
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, ...question });
    });
  }

  return {
    read: (text: string) => ask({ kind: 'read', text }) as Promise<WorkflowReading>,
    edit: (text: string, edit: WorkflowEdit) => ask({ kind: 'edit', text, edit: JSON.parse(JSON.stringify(edit)) }) as Promise<string>,
  };
}

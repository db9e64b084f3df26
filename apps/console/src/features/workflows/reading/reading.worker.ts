import { editWorkflow, type WorkflowEdit } from '../../../editor/workflow-edit.js';
import { readWorkflow } from './read-workflow.js';

export type WorkerQuestion = { id: number; text: string } & ({ kind: 'read' } | { kind: 'edit'; edit: WorkflowEdit });

/** Reads and edits texts beside the page, which a workflow of thousands of tasks would stop for seconds. */
self.addEventListener('message', ({ data }: MessageEvent<WorkerQuestion>) => {
  try {
    self.postMessage({ id: data.id, answer: data.kind === 'read' ? readWorkflow(data.text) : editWorkflow(data.text, data.edit) });
  } catch (error) {
    self.postMessage({ id: data.id, fault: String(error) });
  }
});

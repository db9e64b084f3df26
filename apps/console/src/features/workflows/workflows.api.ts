import type { ApplyAnswer, RunView } from '@medley/contracts';
import { callApi } from '../../api/api-client.js';

/** What saving a text would change; nothing is written. */
export function previewApply(yaml: string): Promise<ApplyAnswer> {
  return callApi('applyWorkflow', { query: { dryRun: true }, body: yaml, bodyType: 'application/yaml' });
}

export function applyWorkflow(yaml: string, prune: boolean): Promise<ApplyAnswer> {
  return callApi('applyWorkflow', { query: { prune }, body: yaml, bodyType: 'application/yaml' });
}

/** Starts a run; the key makes a repeated request start nothing new. */
export function startRun(workflowId: string, parameters: Record<string, unknown>, idempotencyKey: string): Promise<RunView> {
  return callApi('startRun', { params: { id: workflowId }, body: { parameters }, headers: { 'idempotency-key': idempotencyKey } });
}

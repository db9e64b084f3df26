import type { ApplyAnswer, RunView } from '@medley/contracts';
import { callApi } from '../../api/api-client.js';

/** What saving a text would change; nothing is written. */
export function previewApply(yaml: string, basis: string | null): Promise<ApplyAnswer> {
  return callApi('applyWorkflow', { query: { dryRun: true }, body: yaml, bodyType: 'application/yaml', headers: onlyUpon(basis) });
}

export function applyWorkflow(yaml: string, basis: string | null, prune: boolean): Promise<ApplyAnswer> {
  return callApi('applyWorkflow', { query: { prune }, body: yaml, bodyType: 'application/yaml', headers: onlyUpon(basis) });
}

/** Refused as stale when the latest version is not the one with this checksum; null for a workflow that is new. */
function onlyUpon(basis: string | null): Record<string, string> {
  return basis === null ? {} : { 'if-match': `"${basis}"` };
}

/** Starts a run; the key makes a repeated request start nothing new. */
export function startRun(workflowId: string, parameters: Record<string, unknown>, idempotencyKey: string): Promise<RunView> {
  return callApi('startRun', { params: { id: workflowId }, body: { parameters }, headers: { 'idempotency-key': idempotencyKey } });
}

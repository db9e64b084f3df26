import { type ApplyAnswer, type DryRun, type RunView, restPath, restRoutes } from '@medley/contracts';
import { callApi } from '../../api/api-client.js';

/** What saving a text would change; nothing is written. */
export function previewApply(yaml: string, basis: string | null, prune = false): Promise<ApplyAnswer> {
  return callApi('applyWorkflow', { query: { dryRun: true, prune }, body: yaml, bodyType: 'application/yaml', headers: onlyUpon(basis) });
}

export function applyWorkflow(yaml: string, basis: string | null, prune: boolean): Promise<ApplyAnswer> {
  return callApi('applyWorkflow', { query: { prune }, body: yaml, bodyType: 'application/yaml', headers: onlyUpon(basis) });
}

/** Refused as stale when the latest version is not the one with this checksum; null for a workflow that is new. */
function onlyUpon(basis: string | null): Record<string, string> {
  return basis === null ? {} : { 'if-match': `"${basis}"` };
}

export interface RunOrder {
  workflowId: string;
  parameters: Record<string, unknown>;
  /** The latest when it is not named. */
  version?: number | undefined;
}

const bodyOf = ({ parameters, version }: RunOrder) => ({ parameters, ...(version === undefined ? {} : { version }) });

/** What that run would do, without starting it. */
export function dryRun(order: RunOrder): Promise<DryRun> {
  return callApi('dryRun', { params: { id: order.workflowId }, body: bodyOf(order) });
}

/** Starts a run; the key makes a repeated request start nothing new. */
export function startRun(order: RunOrder, idempotencyKey: string): Promise<RunView> {
  return callApi('startRun', { params: { id: order.workflowId }, body: bodyOf(order), headers: { 'idempotency-key': idempotencyKey } });
}

/** The same request as a line for a shell. The token is not in it: the shell has it in MEDLEY_TOKEN. */
export function curlOfRun(order: RunOrder, origin: string): string {
  const body = JSON.stringify(bodyOf(order)).replaceAll("'", "'\\''");
  return [
    `curl -X POST '${origin}${restPath(restRoutes.startRun.path, { id: order.workflowId })}'`,
    `  -H "authorization: Bearer $MEDLEY_TOKEN" -H 'content-type: application/json'`,
    `  -d '${body}'`,
  ].join(' \\\n');
}

import type { PlacementReplay, RunView } from '@medley/contracts';
import { callApi } from '../../api/api-client.js';

export function cancelRun(id: string): Promise<RunView> {
  return callApi('cancelRun', { params: { id } });
}

export function rerun(id: string, mode: 'all' | 'failed'): Promise<RunView> {
  return callApi('rerun', { params: { id }, body: { mode } });
}

/** Lets the server decide again from what it stored, and compare. */
export function replayPlacement(attemptId: string): Promise<PlacementReplay> {
  return callApi('replayPlacement', { params: { id: attemptId } });
}

import type { ApplyAnswer, RunView } from '@medley/contracts';
import { query, type Stack, waitFor } from '@medley/testing';

/** Applies a workflow document by REST and returns the workflow's id. */
export async function applyWorkflow(stack: Stack, document: unknown): Promise<string> {
  const { workflowId } = await stack.admin.post<ApplyAnswer>('/workflows/apply', document);
  if (workflowId === null) throw new Error('Applying the workflow did not store it');
  return workflowId;
}

/** Starts a run by REST and resolves with its id once it has ended, however it ended. */
export async function runToEnd(stack: Stack, workflowId: string, timeoutMs: number, pollMs = 100): Promise<string> {
  const { id } = await stack.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
  await waitForEnd(stack, id, timeoutMs, pollMs);
  return id;
}

async function waitForEnd(stack: Stack, runId: string, timeoutMs: number, pollMs: number): Promise<void> {
  let seen: unknown;
  await waitFor(
    async () => {
      const [row] = await query(stack.databaseUrl, 'select state, open_tasks, finished_at is not null as ended from runs where id = $1', [
        runId,
      ]);
      seen = row;
      return row?.ended === true;
    },
    { timeoutMs, pollMs, describe: () => `run ${runId} to end; last seen ${JSON.stringify(seen)}` },
  );
}

import { ProcessTable } from '../attempts/process-table.js';

/** Pids of the living processes that carry the attempt's marker in their environment: an independent look at /proc. */
export async function processesOf(attemptId: string): Promise<number[]> {
  const rows = await new ProcessTable().read();
  return rows.filter((row) => row.attemptId === attemptId).map((row) => row.pid);
}

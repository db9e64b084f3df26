import type { AttemptView } from '@medley/contracts';
import { answerRow } from '../rest/answer-row.js';

/** Columns of an attempt as `Attempt` shows it. Attempts are numbered by their fence: one each, whether or not it cost a try of the retry policy. */
export const attemptColumns = `
a.id, a.task_run_id as "taskRunId", a.run_id as "runId", a.fence as number, a.fence, a.state, a.node_id as "nodeId", n.name as node, a.carrier, a.prefetched, a.send_no as "sendNo",
a.dispatched_at as "dispatchedAt", a.claimed_at as "claimedAt", a.started_at as "startedAt", a.deadline_at as "deadlineAt", a.stopping_at as "stoppingAt",
a.stop_reason as "stopReason", a.finished_at as "finishedAt", a.exit_code as "exitCode", a.signal, a.detail, a.explanation`;

export const attemptFrom = 'attempts a join nodes n on n.id = a.node_id';

export function attemptViewOf(row: object): AttemptView {
  return answerRow<AttemptView>(row);
}

import type { PlacementReplay, PlacementView } from '@medley/contracts';
import { AppError, type PlacementDecision, type PlacementTurnInput, phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import type { PlacementEngine } from '../placement-worker/placement-engine.js';
import { answerRow } from '../rest/answer-row.js';
import { canonicalJson } from '../rest/canonical-json.js';

/** Throws not-found, also for an attempt whose decision has been pruned. */
export async function getPlacement(sql: Sql, attemptId: string): Promise<PlacementView> {
  const [row] = await sql.query<{ decision: PlacementDecision }>(
    `select d.attempt_id as "attemptId", d.turn_id as "turnId", d.ordinal, t.created_at as "decidedAt", a.node_id as "nodeId", n.name as node, d.decision
     from placement_decisions d join placement_turns t on t.id = d.turn_id join attempts a on a.id = d.attempt_id join nodes n on n.id = a.node_id
     where d.attempt_id = $1`,
    [attemptId],
  );
  if (!row) throw notStored();
  const nodeNames = Object.fromEntries(row.decision.scores.map(({ nodeId, nodeName }) => [nodeId, nodeName]));
  return { ...answerRow<PlacementView>(row), nodeNames };
}

/** Decides the stored turn again, which needs nothing but its input, and compares what it says about this attempt. */
export async function replayPlacement(sql: Sql, engine: PlacementEngine, attemptId: string): Promise<PlacementReplay> {
  const [row] = await sql.query<{ decision: PlacementDecision; input: PlacementTurnInput; task_run_id: string }>(
    `select d.decision, t.input, a.task_run_id from placement_decisions d join placement_turns t on t.id = d.turn_id join attempts a on a.id = d.attempt_id
     where d.attempt_id = $1`,
    [attemptId],
  );
  if (!row) throw notStored();
  const { placements, moves, prefetches } = await engine.decide(row.input);
  const replayed = [...placements, ...moves, ...prefetches].find((placement) => placement.taskRunId === row.task_run_id)?.decision ?? null;
  const stored = { ...row.decision };
  return {
    attemptId,
    identical: canonicalJson(comparable(stored)) === canonicalJson(replayed && comparable(replayed)),
    stored,
    replayed: replayed && { ...replayed },
  };
}

function notStored(): AppError {
  return new AppError('not-found', phrase('no-placement-decision'));
}

/** Without the phrases, which only say `reason` again and which older decisions lack. */
function comparable(decision: PlacementDecision): PlacementDecision {
  return { ...decision, removed: decision.removed.map(({ phrase: _, ...removed }) => removed) };
}

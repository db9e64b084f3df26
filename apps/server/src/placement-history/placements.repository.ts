import type { Page, PlacementListItem, PlacementQuery } from '@medley/contracts';
import type { PlacementDecision } from '@medley/core';
import type { Sql } from '@medley/database';
import type { VisibleProjects } from '../access/caller.js';
import { answerRow } from '../rest/answer-row.js';
import { decodeIdCursor, encodeCursor, listKind } from '../rest/cursor.js';

/** Decisions that one page looks through. A filter that finds little would otherwise read the whole history. */
const SCANNED_AT_ONCE = 20_000;
const SHOWN_SCORES = 3;

interface PlacementRow {
  attemptId: string;
  decision: PlacementDecision;
}

// Each step follows a primary key, and the order is that of the decisions, so that a page without a filter reads no more rows than it shows.
const placementsStatement = `
select d.attempt_id as "attemptId", a.state as "attemptState", t.created_at as "decidedAt", t.pool_id as "poolId", p.name as pool, a.node_id as "nodeId",
  n.name as node, a.run_id as "runId", r.workflow_id as "workflowId", w.name as workflow, j.name as project, k.task_key as "taskKey", t.input ->> 'seed' as seed,
  d.ordinal, d.decision
from (select * from placement_decisions where ($1::uuid is null or attempt_id < $1) order by attempt_id desc limit ${SCANNED_AT_ONCE}) d
join placement_turns t on t.id = d.turn_id join attempts a on a.id = d.attempt_id join runs r on r.id = a.run_id join pools p on p.id = t.pool_id
join nodes n on n.id = a.node_id join workflows w on w.id = r.workflow_id join projects j on j.id = r.project_id join task_runs k on k.id = a.task_run_id
where ($2::uuid is null or t.pool_id = $2) and ($3::uuid is null or a.node_id = $3) and ($4::uuid is null or r.workflow_id = $4)
  and ($5::uuid[] is null or r.project_id = any($5))
order by d.attempt_id desc limit $6`;

const scanEndStatement = `
select attempt_id as id from placement_decisions where ($1::uuid is null or attempt_id < $1) order by attempt_id desc offset ${SCANNED_AT_ONCE - 1} limit 1`;

/** The newest first, of these projects. A page that found less than it may hold goes on where it stopped to look, as long as there is more to look at. */
export async function listPlacements(sql: Sql, query: PlacementQuery, projects: VisibleProjects): Promise<Page<PlacementListItem>> {
  const kind = listKind('placements', { ...query });
  const before = decodeIdCursor(kind, query.cursor);
  const values = [before, query.poolId ?? null, query.nodeId ?? null, query.workflowId ?? null, projects, query.limit + 1];
  const rows = await sql.query<PlacementRow>(placementsStatement, values);
  const items = rows.slice(0, query.limit).map(placementItemOf);
  if (rows.length > query.limit) return { items, nextCursor: encodeCursor(kind, [items.at(-1)!.attemptId]) };
  const [end] = await sql.query<{ id: string }>(scanEndStatement, [before]);
  return { items, nextCursor: end ? encodeCursor(kind, [end.id]) : null };
}

function placementItemOf({ decision, ...row }: PlacementRow): PlacementListItem {
  const { selector, candidates, removed, scores, kind = 'place' } = decision;
  return {
    ...answerRow<PlacementListItem>(row),
    selector,
    kind,
    candidates,
    removed: removed.map(({ filter, count }) => ({ filter, count })),
    top: scores.slice(0, SHOWN_SCORES).map(({ nodeId, nodeName, weight, probability, score }) => ({
      nodeId,
      node: nodeName,
      weight,
      probability: probability ?? null,
      score: score ?? null,
    })),
  };
}

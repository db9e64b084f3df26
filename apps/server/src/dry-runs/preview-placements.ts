import { type DryRunPlacement, holdsNoSlot, type TaskSpec } from '@medley/contracts';
import { type PlacementDecision, type PlacementScore, placeTurn } from '@medley/core';
import type { Sql } from '@medley/database';
import { type PoolSnapshot, readPool } from '../passes/place.snapshot.js';
import { requestShapeOf } from '../runs/request-shape.js';
import type { LoadedWorkflow } from '../settlement/workflow-specs.js';

/**
 * Where each task could run now, by key: every one looked at alone on the nodes as they are, with the filters and the selector of its pool, and whatever its
 * limits are. Tasks that ask for the same in one
 * pool share the answer.
 */
export async function previewPlacements(
  sql: Sql,
  { spec }: LoadedWorkflow,
  poolIds: ReadonlyMap<string, string>,
  seconds: ReadonlyMap<string, number>,
): Promise<Map<string, DryRunPlacement>> {
  const pools = new Map<string, PoolSnapshot>();
  const placed = spec.tasks.filter((task) => !holdsNoSlot(task));
  for (const name of new Set(placed.map((task) => task.pool))) pools.set(name, await readPool(sql, poolIds.get(name)!));
  const known = new Map<string, DryRunPlacement>();
  return new Map(
    placed.map((task) => {
      const key = `${task.pool} ${requestShapeOf(task, '', []).hash}`;
      const placement = known.get(key) ?? previewOne(pools.get(task.pool)!, task, seconds.get(task.key) ?? null);
      known.set(key, placement);
      return [task.key, placement];
    }),
  );
}

function previewOne(pool: PoolSnapshot, task: TaskSpec, expectedSeconds: number | null): DryRunPlacement {
  const { resources, labels, runtime, secrets, files } = requestShapeOf(task, '', []).request;
  const request = {
    taskRunId: task.key,
    ...{ resources, labels, runtime },
    ...(secrets ? { needsMasking: true } : {}),
    ...(files ? { needsFiles: true } : {}),
    priority: task.priority,
    rank: 0,
    readyAtMs: pool.nowMs,
    avoidNodeIds: [],
    expectedSeconds,
  };
  const { placements, waits } = placeTurn({
    policy: { ...pool.policy, prefetch: 0 },
    seed: 'dry-run',
    nowMs: pool.nowMs,
    nodes: pool.nodes,
    selectorState: pool.selectorState,
    requests: [request],
    maxDecisions: 1,
  });
  const [placement] = placements;
  if (placement) return chosen(placement.decision);
  const { code, reason: text, values, removed } = waits[0]!;
  return { selector: pool.policy.selector, candidates: 0, nodes: [], likely: null, removed, wait: { code, text, values } };
}

/** By chance where the selector draws by chances; otherwise what it chooses. */
function chosen({ selector, candidates, removed, scores, chosenNodeId }: PlacementDecision): DryRunPlacement {
  const byChance = scores.toSorted((a, b) => (b.probability ?? 0) - (a.probability ?? 0));
  const likely = scores.some(({ probability }) => probability !== undefined)
    ? byChance[0]!
    : scores.find(({ nodeId }) => nodeId === chosenNodeId)!;
  const nodes = [likely, ...byChance.filter((score) => score !== likely)].map(nodeOf);
  const { nodeId, node, probability } = nodes[0]!;
  return { selector, candidates, nodes, likely: { nodeId, node, probability }, removed, wait: null };
}

function nodeOf({ nodeId, nodeName, performance, probability, score }: PlacementScore): DryRunPlacement['nodes'][number] {
  return { nodeId, node: nodeName, performance, probability: probability ?? null, score: score ?? null };
}

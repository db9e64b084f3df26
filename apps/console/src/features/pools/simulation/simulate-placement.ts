import type { NodeListItem, PoolPolicy } from '@medley/contracts';
import {
  type NodeSnapshot,
  noResources,
  type PlacementRequest,
  type PlacementTurnResult,
  placeTurn,
  type Resources,
  type Wait,
} from '@medley/core';

/** one-by-one: each task finds the nodes as they are now, the one before has ended. burst: all come at once and take what is free. */
export type SimulationMode = 'one-by-one' | 'burst';

export interface SimulationInput {
  policy: PoolPolicy;
  nodes: NodeSnapshot[];
  picks: number;
  task: Pick<Resources, 'cpuMillis' | 'memoryMib'>;
  mode: SimulationMode;
  seed: string;
}

/** As the server would tell it of a task. */
export type SimulatedWait = Pick<Wait, 'code' | 'values'> & { text: string };

export interface SimulationResult {
  /** Tasks per node id; a node that got none is missing. */
  placed: Record<string, number>;
  /** Tasks that no node could take. */
  waiting: number;
  /** What the first of these waits for; null where none does. */
  wait: SimulatedWait | null;
}

/** A node of the list as placement sees it at this moment. */
export function snapshotOf(node: NodeListItem, policy: PoolPolicy): NodeSnapshot {
  return {
    id: node.id,
    name: node.name,
    labels: node.labels,
    platform: node.os,
    runtimes: node.runtimes,
    capacity: node.capacity,
    reserved: node.used,
    cordoned: node.cordoned,
    draining: node.draining,
    reachable: node.state === 'online',
    offline: node.state === 'offline',
    heldAttempts: node.liveAttempts,
    maxAttempts: node.maxAttempts,
    performance: node.performance.effective,
    busyUntilSeconds: [],
    ...(node.load ? { cpuPercent: node.load.cpuPercent } : {}),
    ...(policy.maxCpuPercent === undefined ? {} : { maxCpuPercent: policy.maxCpuPercent }),
  };
}

/** Where the placement code of the server itself puts equal tasks under a policy. */
export function simulatePlacement({ policy, nodes, picks, task, mode, seed }: SimulationInput): SimulationResult {
  const requests = Array.from({ length: picks }, (_, index) => requestOf(index, task));
  const turn = { policy: { ...policy, prefetch: 0 }, nowMs: 0, nodes, maxDecisions: picks };
  if (mode === 'burst') return tally(picks, [placeTurn({ ...turn, seed, selectorState: {}, requests })]);
  let selectorState = {};
  const results = requests.map((request, index) => {
    const result = placeTurn({ ...turn, seed: `${seed} ${index}`, selectorState, requests: [request] });
    selectorState = result.selectorState;
    return result;
  });
  return tally(picks, results);
}

function requestOf(index: number, task: SimulationInput['task']): PlacementRequest {
  return {
    taskRunId: String(index).padStart(8, '0'),
    resources: { ...noResources, ...task },
    labels: null,
    runtime: null,
    priority: 0,
    rank: 0,
    readyAtMs: 0,
    avoidNodeIds: [],
    expectedSeconds: null,
  };
}

function tally(picks: number, results: readonly PlacementTurnResult[]): SimulationResult {
  const placements = results.flatMap((result) => result.placements);
  const [first] = results.flatMap((result) => result.waits);
  const placed: Record<string, number> = {};
  for (const { nodeId } of placements) placed[nodeId] = (placed[nodeId] ?? 0) + 1;
  return {
    placed,
    waiting: picks - placements.length,
    wait: first ? { code: first.code, text: first.reason, values: first.values } : null,
  };
}

import { parentPort } from 'node:worker_threads';
import { type PlacementTurnInput, placeTurn } from '@medley/core';

/** Decides turns away from the event loop, so that a large one delays no heartbeat. */
parentPort?.on('message', ({ id, input, limitMs }: { id: number; input: PlacementTurnInput; limitMs: number | null }) => {
  try {
    const endMs = limitMs === null ? Number.POSITIVE_INFINITY : performance.now() + limitMs;
    const result = placeTurn(input, () => performance.now() >= endMs);
    parentPort?.postMessage({ id, result });
  } catch (error) {
    parentPort?.postMessage({ id, error: (error as Error).stack ?? String(error) });
  }
});

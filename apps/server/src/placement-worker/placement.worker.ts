import { parentPort } from 'node:worker_threads';
import { type PlacementTurnInput, placeTurn } from '@medley/core';

/** Decides turns away from the event loop, so that a large one delays no heartbeat. */
parentPort?.on('message', ({ id, input }: { id: number; input: PlacementTurnInput }) => {
  try {
    parentPort?.postMessage({ id, result: placeTurn(input) });
  } catch (error) {
    parentPort?.postMessage({ id, error: (error as Error).stack ?? String(error) });
  }
});

import { type PlacementTurnInput, placeTurn } from '@medley/core';
import { afterEach, describe, expect, it } from 'vitest';
import { PlacementEngine } from './placement-engine.js';

function turnOf(nodes: number, requests: number, seed = 'seed'): PlacementTurnInput {
  const resources = { cpuMillis: 100, memoryMib: 0, diskMib: 0, gpuCount: 0 };
  const none = { cpuMillis: 0, memoryMib: 0, diskMib: 0, gpuCount: 0 };
  return {
    policy: { selector: 'random' },
    seed,
    nowMs: 0,
    selectorState: {},
    maxDecisions: 500,
    nodes: Array.from({ length: nodes }, (_, index) => ({
      id: `n${index}`,
      name: `n${index}`,
      labels: {},
      platform: 'linux',
      runtimes: [],
      capacity: { ...none, cpuMillis: 1000 },
      reserved: none,
      cordoned: false,
      draining: false,
      reachable: true,
      offline: false,
      heldAttempts: 0,
      maxAttempts: 100,
      performance: 1,
      busyUntilSeconds: [],
    })),
    requests: Array.from({ length: requests }, (_, index) => ({
      taskRunId: `t${index}`,
      resources,
      labels: null,
      runtime: null,
      priority: 0,
      rank: 0,
      readyAtMs: 0,
      avoidNodeIds: [],
      expectedSeconds: null,
    })),
  };
}

/** A thread with the protocol of the placement worker that answers with the turn's seed, fails on "fail" and dies on "die". */
const thread = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', ({ id, input, limitMs }) => {
    if (input.seed === 'die') throw new Error('the thread dies');
    if (input.seed === 'fail') parentPort.postMessage({ id, error: 'the turn fails' });
    else setTimeout(() => parentPort.postMessage({ id, result: { seed: input.seed, limitMs } }), input.seed === 'slow' ? 30 : 0);
  });`)}`,
);

describe('PlacementEngine', () => {
  let engine: PlacementEngine;
  afterEach(() => engine.onApplicationShutdown());

  const large = (seed: string) => engine.decide(turnOf(60, 60, seed)) as unknown as Promise<{ seed: string }>;

  it('decides a small turn in place, as core does', async () => {
    engine = new PlacementEngine(new URL('data:text/javascript,throw new Error("not needed")'));
    const turn = turnOf(3, 20);
    expect(await engine.decide(turn)).toEqual(placeTurn(turn));
  });

  it('hands large turns to the thread and gives each caller its own answer, in whatever order they come', async () => {
    engine = new PlacementEngine(thread);
    const answers = await Promise.all([large('slow'), large('quick')]);
    expect(answers.map(({ seed }) => seed)).toEqual(['slow', 'quick']);
  });

  it('tells the thread how long it may decide', async () => {
    engine = new PlacementEngine(thread);
    expect(await engine.decide(turnOf(60, 60, 'timed'), 50)).toEqual({ seed: 'timed', limitMs: 50 });
    expect(await large('untimed')).toEqual({ seed: 'untimed', limitMs: null });
  });

  it('fails only the turn that failed', async () => {
    engine = new PlacementEngine(thread);
    const [failed, other] = await Promise.allSettled([large('fail'), large('quick')]);
    expect(failed).toMatchObject({ status: 'rejected', reason: new Error('the turn fails') });
    expect(other).toMatchObject({ status: 'fulfilled', value: { seed: 'quick' } });
  });

  it('fails the waiting turns when the thread dies, and decides the next ones in a new thread', async () => {
    engine = new PlacementEngine(thread);
    for (let death = 0; death < 3; death++) {
      await expect(large('die')).rejects.toThrow('the thread dies');
      expect((await large('slow')).seed).toBe('slow');
    }
  });
});

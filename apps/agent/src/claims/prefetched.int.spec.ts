import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentScene } from '../testing/agent-scene.js';
import { buildDispatch, buildWork } from '../testing/attempt-builders.js';
import { waitUntil } from '../testing/wait-until.js';

const core = { cpuMillis: 1000, memoryMib: 0, diskMib: 0, gpuCount: 0 };
const nothing = { ...core, cpuMillis: 0 };

describe('prefetched work', () => {
  let scene: AgentScene;
  beforeEach(async () => {
    scene = new AgentScene();
    scene.server.capacity = core;
    await scene.open();
  });
  afterEach(() => scene.close());

  function prefetch() {
    const dispatch = buildDispatch({ awaits: core });
    scene.server.dispatch(dispatch, buildWork({ resources: core, script: 'echo ran' }));
    return { dispatch, claims: () => scene.server.seen(dispatch.attemptId).claims };
  }

  it('is claimed only when what runs here has ended and the server knows it', async () => {
    const running = scene.run({ resources: core, script: 'echo up; until [ -e go ]; do sleep 0.02; done' });
    await scene.printed(running, 'up');
    const { dispatch, claims } = prefetch();
    await scene.finished(scene.run({ kind: 'noop', script: null, resources: nothing })); // came later, needs no room
    expect(claims()).toEqual([]);
    writeFileSync(join(scene.agent.home, 'attempts', running.attemptId, 'work', 'go'), '');
    await waitUntil('the claim', () => claims().length > 0);
    expect(scene.server.finished(running.attemptId)).toMatchObject({ outcome: 'succeeded' });
    expect(claims()[0]).toMatchObject({ prefetched: true });
    await scene.finished(dispatch);
    expect(scene.stdout(dispatch)).toBe('ran\n');
    expect(claims()).toHaveLength(1);
  });

  it('is asked for again, with the same claim id, after the server had no room for it yet', async () => {
    const { dispatch, claims } = prefetch();
    scene.server.withoutRoom.add(dispatch.attemptId);
    await waitUntil('two claims', () => claims().length >= 2);
    scene.server.withoutRoom.clear();
    await scene.finished(dispatch);
    expect(new Set(claims().map(({ claimId }) => claimId)).size).toBe(1);
    expect(scene.server.seen(dispatch.attemptId).grants).toBe(1);
  });

  it('is forgotten on an order to stop it', async () => {
    const running = scene.run({ resources: core, script: 'echo up; until [ -e go ]; do sleep 0.02; done' });
    await scene.printed(running, 'up');
    const { dispatch, claims } = prefetch();
    await scene.finished(scene.run({ kind: 'noop', script: null, resources: nothing }));
    scene.server.stop({ attemptId: dispatch.attemptId, fence: 1, reason: 'superseded' });
    await scene.finished(scene.run({ kind: 'noop', script: null, resources: nothing }));
    writeFileSync(join(scene.agent.home, 'attempts', running.attemptId, 'work', 'go'), '');
    await scene.finished(running);
    await waitUntil('nothing live', () => scene.server.lastLive.length === 0);
    expect(claims()).toEqual([]);
  });
});

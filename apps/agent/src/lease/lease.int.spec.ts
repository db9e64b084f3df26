import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentScene } from '../testing/agent-scene.js';
import { processesOf } from '../testing/marked-processes.js';
import { waitUntil } from '../testing/wait-until.js';

/** Long enough that its margin (3 s) holds a restart and a kill even on a busy machine. */
const LEASE_SECONDS = 12;

describe('an agent cut off from its server', () => {
  let scene: AgentScene;
  beforeEach(async () => {
    scene = new AgentScene();
    scene.server.leaseSeconds = LEASE_SECONDS;
    await scene.open();
  });
  afterEach(() => scene.close());

  it('ends work that asks for it before the lease is over, and leaves the other running', async () => {
    const stubborn = 'trap "" TERM; echo up; while :; do sleep 0.1; done';
    const stopping = scene.run({ script: stubborn, onLeaseLost: 'stop', graceSeconds: 60 });
    const finishing = scene.run({ script: 'echo up; sleep 60', onLeaseLost: 'finish', graceSeconds: 0.2 });
    await Promise.all([scene.printed(stopping, 'up'), scene.printed(finishing, 'up')]);
    const lastHeard = Date.now();
    scene.server.away = true;
    await waitUntil('the stopping one is gone', async () => (await processesOf(stopping.attemptId)).length === 0);
    // The lease began no later than the last heartbeat's receipt, so being gone by then is being gone before the server may retry.
    expect(Date.now() - lastHeard).toBeLessThanOrEqual(LEASE_SECONDS * 1000);
    expect(await processesOf(finishing.attemptId)).not.toEqual([]);
    scene.server.refused.set(finishing.attemptId, 'lost');
    scene.server.stop({ attemptId: finishing.attemptId, fence: 1, reason: 'superseded' });
    scene.server.away = false;
    const end = await scene.finished(stopping);
    expect(end).toMatchObject({ outcome: 'cancelled' });
    expect(end.detail).toContain('lease lost');
    await waitUntil('the other is stopped on return', async () => (await processesOf(finishing.attemptId)).length === 0);
    expect(scene.server.finished(finishing.attemptId)).toBeNull();
  });

  it('does not gain time by being restarted while cut off', async () => {
    const dispatch = scene.run({ script: 'echo up; sleep 60', onLeaseLost: 'stop', graceSeconds: 0.2 });
    await scene.printed(dispatch, 'up');
    scene.server.away = true;
    const lastHeard = Date.now();
    await scene.agent.signal('SIGKILL');
    scene.agent.start();
    await waitUntil('the process is gone', async () => (await processesOf(dispatch.attemptId)).length === 0);
    expect(Date.now() - lastHeard).toBeLessThanOrEqual(LEASE_SECONDS * 1000);
    scene.server.away = false;
    expect(await scene.finished(dispatch)).toMatchObject({ outcome: 'cancelled' });
  });
});

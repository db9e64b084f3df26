import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentScene } from '../testing/agent-scene.js';
import { processesOf } from '../testing/marked-processes.js';
import { waitUntil } from '../testing/wait-until.js';

/** A child that has left session and parent, ignores TERM, and says so. */
const ESCAPED = `setsid sh -c 'trap "" TERM; (echo escaped; while :; do sleep 1; done) &' &`;

describe('stopping an attempt', () => {
  const scene = new AgentScene();
  beforeAll(() => scene.open());
  afterAll(() => scene.close());

  it('ends the whole tree on timeout, a double-forked child in its own session included, and only then reports timed_out', async () => {
    const dispatch = scene.run({ script: `${ESCAPED}\nsleep 60`, timeoutSeconds: 1, graceSeconds: 0.5 });
    await scene.printed(dispatch, 'escaped');
    expect((await processesOf(dispatch.attemptId)).length).toBeGreaterThan(2);
    const end = await scene.finished(dispatch);
    expect(end).toMatchObject({ outcome: 'timed_out', detail: 'timed out after 1 s' });
    expect(await processesOf(dispatch.attemptId)).toEqual([]);
  });

  it('is timed out even when the script ends with success on TERM', async () => {
    const dispatch = scene.run({
      script: 'trap "echo bye; exit 0" TERM; echo up; while :; do sleep 0.1; done',
      timeoutSeconds: 1,
      graceSeconds: 10,
    });
    expect(await scene.finished(dispatch)).toMatchObject({ outcome: 'timed_out', exitCode: 0 });
    expect(scene.stdout(dispatch)).toContain('bye');
  });

  it('ends the tree on cancel, with time for the script to clean up', async () => {
    const dispatch = scene.run({ script: 'trap "echo cleaned; exit 3" TERM; echo up; while :; do sleep 0.1; done', graceSeconds: 10 });
    await scene.printed(dispatch, 'up');
    scene.server.stop({ attemptId: dispatch.attemptId, fence: 1, reason: 'cancelled' });
    expect(await scene.finished(dispatch)).toMatchObject({ outcome: 'cancelled', exitCode: 3 });
    expect(scene.stdout(dispatch)).toContain('cleaned');
    expect(await processesOf(dispatch.attemptId)).toEqual([]);
  });

  it('does not obey an order for another fence', async () => {
    const dispatch = scene.run({ script: 'echo up; until [ -e ../go ]; do sleep 0.1; done' });
    await scene.printed(dispatch, 'up');
    scene.server.stop({ attemptId: dispatch.attemptId, fence: 2, reason: 'cancelled' });
    const after = scene.server.heartbeats.length;
    await waitUntil('two more heartbeats', () => scene.server.heartbeats.length >= after + 2);
    expect(scene.server.lastLive).toContainEqual({ attemptId: dispatch.attemptId, fence: 1 });
    scene.server.stop({ attemptId: dispatch.attemptId, fence: 1, reason: 'cancelled' });
    expect(await scene.finished(dispatch)).toMatchObject({ outcome: 'cancelled' });
  });

  it('drops a superseded attempt without a result', async () => {
    const dispatch = scene.run({ script: 'echo up; sleep 60', graceSeconds: 0.2 });
    await scene.printed(dispatch, 'up');
    const isLive = () => scene.server.lastLive.some((ref) => ref.attemptId === dispatch.attemptId);
    await waitUntil('named in a heartbeat', isLive);
    scene.server.stop({ attemptId: dispatch.attemptId, fence: 1, reason: 'superseded' });
    await waitUntil('no longer live', () => !isLive());
    expect(await processesOf(dispatch.attemptId)).toEqual([]);
    expect(scene.server.finished(dispatch.attemptId)).toBeNull();
  });

  it('ends what a finished script left in the background before it reports the end', async () => {
    const dispatch = scene.run({ script: `${ESCAPED}\nsleep 0.3; exit 0`, graceSeconds: 0.2 });
    expect(await scene.finished(dispatch)).toMatchObject({ outcome: 'succeeded', exitCode: 0 });
    expect(await processesOf(dispatch.attemptId)).toEqual([]);
  });

  it('names a kill for lack of memory and keeps the log before it', async () => {
    const script = 'print("before", flush=True)\nblock = bytearray(200 * 1024 * 1024)\nprint(len(block))';
    const dispatch = scene.run({ kind: 'python', script, resources: { cpuMillis: 100, memoryMib: 48, diskMib: 0, gpuCount: 0 } });
    const end = await scene.finished(dispatch);
    expect(scene.stdout(dispatch)).toBe('before\n');
    expect(end).toMatchObject({ outcome: 'failed', exitCode: 137, detail: 'killed for lack of memory: the task may use 48 MiB' });
  });
});

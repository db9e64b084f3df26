import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentApiServer } from '../testing/agent-api-server.js';
import { AgentScene } from '../testing/agent-scene.js';
import { buildDispatch, buildWork } from '../testing/attempt-builders.js';
import { processesOf } from '../testing/marked-processes.js';
import { waitUntil } from '../testing/wait-until.js';

describe('delivery between agent and server', () => {
  let scene: AgentScene;
  beforeEach(async () => {
    scene = new AgentScene();
    await scene.open();
  });
  afterEach(() => scene.close());

  it('starts a dispatch once, however often it is handed out', async () => {
    const dispatch = buildDispatch();
    const work = buildWork({ script: 'echo started; sleep 0.3' });
    for (let times = 0; times < 3; times += 1) {
      scene.server.dispatch(dispatch, work);
    }
    await scene.printed(dispatch, 'started');
    scene.server.dispatch(dispatch, work);
    await scene.finished(dispatch);
    scene.server.dispatch(dispatch, work);
    const other = scene.run({ kind: 'noop', script: null });
    await scene.finished(other);
    expect(scene.stdout(dispatch)).toBe('started\n');
    expect(scene.server.seen(dispatch.attemptId).claims).toHaveLength(1);
  });

  it('asks again with the same claim id when the answer is lost, and starts once', async () => {
    scene.server.loseClaimAnswers = 2;
    const dispatch = scene.run({ script: 'echo once' });
    await scene.finished(dispatch);
    const { claims, grants } = scene.server.seen(dispatch.attemptId);
    expect(claims).toHaveLength(3);
    expect(new Set(claims.map((claim) => claim.claimId)).size).toBe(1);
    expect(grants).toBe(1);
    expect(scene.stdout(dispatch)).toBe('once\n');
  });

  it('starts nothing when the claim is refused', async () => {
    const dispatch = buildDispatch();
    scene.server.dispatch(dispatch, buildWork());
    scene.server.offer(dispatch, buildWork());
    const stranger = buildDispatch({ attemptId: dispatch.attemptId, taskRunId: dispatch.taskRunId, fence: 2 });
    await scene.finished(dispatch);
    scene.server.dispatch(stranger, buildWork({ script: 'echo twice' }));
    await waitUntil('second claim', () => scene.server.seen(dispatch.attemptId).claims.length === 2);
    const other = scene.run({ kind: 'noop', script: null });
    await scene.finished(other);
    expect(scene.stdout(dispatch)).toBe('');
    expect(readdirSync(join(scene.agent.home, 'attempts'))).toEqual([]);
  });

  it('delivers a result later when the server was away as the task ended', async () => {
    const dispatch = scene.run({ script: 'echo up; until [ -e go ]; do sleep 0.05; done; echo done' });
    await scene.printed(dispatch, 'up');
    scene.server.away = true;
    const directory = join(scene.agent.home, 'attempts', dispatch.attemptId);
    writeFileSync(join(directory, 'work', 'go'), '');
    await waitUntil('the process has ended', async () => (await processesOf(dispatch.attemptId)).length === 0);
    await waitUntil('the agent has noticed', () => scene.agent.log.includes('reports not delivered'));
    scene.server.away = false;
    expect(await scene.finished(dispatch)).toMatchObject({ outcome: 'succeeded' });
    expect(scene.stdout(dispatch)).toBe('up\ndone\n');
  });

  it('stops and forgets an attempt whose reports are refused', async () => {
    const dispatch = scene.run({ script: 'echo up; while :; do echo more; sleep 0.05; done', graceSeconds: 0.2 });
    await scene.printed(dispatch, 'up');
    scene.server.refused.set(dispatch.attemptId, 'fenced off');
    await waitUntil('the process is gone', async () => (await processesOf(dispatch.attemptId)).length === 0);
    await waitUntil('directory removed', () => readdirSync(join(scene.agent.home, 'attempts')).length === 0);
    await waitUntil('nothing live', () => scene.server.lastLive.length === 0);
  });

  it('hellos again when the heartbeat asks for it, naming what it holds', async () => {
    const dispatch = scene.run({ script: 'echo up; sleep 60', graceSeconds: 0 });
    await scene.printed(dispatch, 'up');
    scene.server.renewNext = true;
    await waitUntil('second session', () => scene.server.sessions.length === 2);
    expect(scene.server.sessions[1]).toMatchObject({ bootId: scene.server.sessions[0]?.bootId, live: [{ attemptId: dispatch.attemptId }] });
    scene.server.stop({ attemptId: dispatch.attemptId, fence: 1, reason: 'cancelled' });
    await scene.finished(dispatch);
  });

  it('holds no more attempts than it is allowed to, and takes the others when there is room', async () => {
    await scene.agent.signal('SIGTERM');
    scene.agent.start({ MEDLEY_MAX_RUNNING: '2' });
    await waitUntil('second session', () => scene.server.sessions.length === 2);
    const dispatches = [1, 2, 3, 4, 5].map(() => scene.run({ script: 'sleep 0.2' }));
    await Promise.all(dispatches.map((dispatch) => scene.finished(dispatch)));
    expect(Math.max(...scene.server.heartbeats.map((beat) => beat.live.length))).toBeLessThanOrEqual(2);
  });
});

describe('an agent with two servers', () => {
  it('goes on with the second when the first is gone', async () => {
    const second = new AgentApiServer();
    await second.listen();
    const scene = new AgentScene();
    await scene.open({}, [second.url]);
    scene.server.away = true;
    await waitUntil('heartbeat at the second', () => second.heartbeats.length > 0);
    const dispatch = buildDispatch();
    second.dispatch(dispatch, buildWork({ script: 'echo here' }));
    await waitUntil('finished', () => second.finished(dispatch.attemptId));
    expect(second.output(dispatch.attemptId, 'stdout').toString()).toBe('here\n');
    await scene.close();
    await second.close();
  });
});

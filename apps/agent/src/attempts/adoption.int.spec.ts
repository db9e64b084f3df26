import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentScene } from '../testing/agent-scene.js';
import { processesOf } from '../testing/marked-processes.js';
import { waitUntil } from '../testing/wait-until.js';

/** Prints `up`, then numbered lines until the file `go` appears, then `end`. */
const COUNTING = 'echo up; i=0; until [ -e go ]; do i=$((i+1)); echo "line $i"; sleep 0.02; done; echo end; exit 4';

describe('an agent killed with SIGKILL and started again', () => {
  let scene: AgentScene;
  beforeEach(async () => {
    scene = new AgentScene();
    await scene.open();
  });
  afterEach(() => scene.close());

  const directoryOf = (attemptId: string) => join(scene.agent.home, 'attempts', attemptId);
  const letGo = (attemptId: string) => writeFileSync(join(directoryOf(attemptId), 'work', 'go'), '');
  const restart = async () => {
    const sessions = scene.server.sessions.length;
    scene.agent.start();
    await waitUntil('session of the next agent', () => scene.server.sessions.length > sessions);
  };

  it('adopts the running process, names it in its session, and loses no output', async () => {
    const dispatch = scene.run({ script: COUNTING });
    await scene.printed(dispatch, 'line 3');
    await scene.agent.signal('SIGKILL');
    expect(await processesOf(dispatch.attemptId)).not.toEqual([]);
    await restart();
    expect(scene.server.sessions.at(-1)?.live).toEqual([{ attemptId: dispatch.attemptId, fence: 1 }]);
    const before = scene.stdout(dispatch).length;
    await waitUntil('more output', () => scene.stdout(dispatch).length > before);
    letGo(dispatch.attemptId);
    expect(await scene.finished(dispatch)).toMatchObject({ outcome: 'failed', exitCode: 4 });
    const lines = scene.stdout(dispatch).trim().split('\n');
    expect(lines).toEqual(['up', ...lines.slice(1, -1).map((_, index) => `line ${index + 1}`), 'end']);
    expect(scene.server.seen(dispatch.attemptId)).toMatchObject({ grants: 1 });
  });

  it('reports an end that came while no agent was there', async () => {
    const dispatch = scene.run({ script: COUNTING });
    await scene.printed(dispatch, 'up');
    await scene.agent.signal('SIGKILL');
    letGo(dispatch.attemptId);
    await waitUntil('the process has ended', async () => (await processesOf(dispatch.attemptId)).length === 0);
    await restart();
    const end = await scene.finished(dispatch);
    expect(end).toMatchObject({ outcome: 'failed', exitCode: 4 });
    expect(end.runSeconds).toBeGreaterThan(0);
    expect(scene.stdout(dispatch)).toMatch(/end\n$/);
  });

  it('fails an attempt whose wrapper vanished without a status, and ends what is left of it', async () => {
    const dispatch = scene.run({ script: 'echo up; sleep 60', graceSeconds: 0.2 });
    await scene.printed(dispatch, 'up');
    await scene.agent.signal('SIGKILL');
    process.kill(Number(readFileSync(join(directoryOf(dispatch.attemptId), 'pid'), 'utf8').split(' ')[0]), 'SIGKILL');
    await restart();
    const end = await scene.finished(dispatch);
    expect(end).toMatchObject({ outcome: 'failed', exitCode: null });
    expect(end.detail).toContain('wrapper vanished');
    expect(await processesOf(dispatch.attemptId)).toEqual([]);
  });

  it('does not take a stranger with the same pid for its process', async () => {
    const dispatch = scene.run({ script: 'echo up; sleep 60', graceSeconds: 0.2 });
    await scene.printed(dispatch, 'up');
    await scene.agent.signal('SIGKILL');
    process.kill(Number(readFileSync(join(directoryOf(dispatch.attemptId), 'pid'), 'utf8').split(' ')[0]), 'SIGKILL');
    writeFileSync(join(directoryOf(dispatch.attemptId), 'pid'), `${process.pid} 1\n`);
    await restart();
    expect((await scene.finished(dispatch)).detail).toContain('wrapper vanished');
  });

  it('forgets an HTTP call whose request was not wholly handed over: it was never made, so it is lost and not failed', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'medley-held-'));
    const [preload, held, go] = ['preload.cjs', 'held', 'go'].map((name) => join(directory, name)) as [string, string, string];
    // Holds the call back before it reads anything; a request larger than a pipe then stays with the agent in part.
    writeFileSync(
      preload,
      `const fs = require('node:fs'); fs.writeFileSync(process.env.HELD, '');
      const cell = new Int32Array(new SharedArrayBuffer(4)); while (!fs.existsSync(process.env.GO)) Atomics.wait(cell, 0, 0, 10);`,
    );
    const dispatch = scene.run({
      kind: 'http',
      script: null,
      http: { method: 'POST', url: 'http://127.0.0.1:1/', headers: {}, body: 'x'.repeat(4_000_000), expectStatus: [200] },
      env: { NODE_OPTIONS: `--require ${preload}`, HELD: held, GO: go },
    });
    await waitUntil('the call is held back', () => existsSync(held));
    await scene.agent.signal('SIGKILL');
    writeFileSync(go, '');
    await restart();
    await waitUntil('the attempt is forgotten', () => !existsSync(directoryOf(dispatch.attemptId)));
    const beats = scene.server.heartbeats.length;
    await waitUntil('the next heartbeats', () => scene.server.heartbeats.length > beats + 1);
    expect(scene.server.lastLive).toEqual([]);
    expect(scene.server.seen(dispatch.attemptId).reports.map(({ body }) => body.type)).not.toContain('finished');
    rmSync(directory, { recursive: true });
  });

  it('goes on counting a timeout from the claim', async () => {
    const dispatch = scene.run({ script: 'echo up; sleep 60', timeoutSeconds: 2, graceSeconds: 0.2 });
    await scene.printed(dispatch, 'up');
    const grantedAt = Date.now();
    await scene.agent.signal('SIGKILL');
    await restart();
    expect(await scene.finished(dispatch)).toMatchObject({ outcome: 'timed_out' });
    expect(Date.now() - grantedAt).toBeLessThan(6000);
  });

  it('finishes a stop that had begun, and does not take its exit for a result', async () => {
    const dispatch = scene.run({
      script: 'trap "until [ -e go ]; do sleep 0.1; done; exit 0" TERM; echo up; while :; do sleep 0.1; done',
      graceSeconds: 30,
    });
    await scene.printed(dispatch, 'up');
    scene.server.stop({ attemptId: dispatch.attemptId, fence: 1, reason: 'cancelled' });
    await waitUntil('stop noted', () => readFileSync(join(directoryOf(dispatch.attemptId), 'reports'), 'utf8').includes('cancelled'));
    await scene.agent.signal('SIGKILL');
    letGo(dispatch.attemptId);
    await restart();
    expect(await scene.finished(dispatch)).toMatchObject({ outcome: 'cancelled' });
  });

  it('obeys the stop orders of the session before it claims anything', async () => {
    const dispatch = scene.run({ script: 'echo up; sleep 60', graceSeconds: 0.2 });
    await scene.printed(dispatch, 'up');
    await scene.agent.signal('SIGKILL');
    scene.server.stop({ attemptId: dispatch.attemptId, fence: 1, reason: 'superseded' });
    await restart();
    await waitUntil('the process is gone', async () => (await processesOf(dispatch.attemptId)).length === 0);
    await waitUntil('nothing live', () => scene.server.lastLive.length === 0);
    expect(scene.server.finished(dispatch.attemptId)).toBeNull();
  });

  it('removes what never started and does not call it live', async () => {
    await scene.agent.signal('SIGKILL');
    const halfPrepared = directoryOf('0190a000-0000-7000-8000-00000000000a');
    mkdirSync(halfPrepared, { recursive: true });
    writeFileSync(join(halfPrepared, 'script.sh'), 'echo never');
    await restart();
    expect(scene.server.sessions.at(-1)?.live).toEqual([]);
    expect(existsSync(halfPrepared)).toBe(false);
  });

  it('keeps no environment and no secret on disk', async () => {
    const dispatch = scene.run({ script: 'echo up; sleep 60', env: { TOKEN: 'a-secret-value' }, graceSeconds: 0 });
    await scene.printed(dispatch, 'up');
    const files = readdirSync(directoryOf(dispatch.attemptId), { withFileTypes: true }).filter((file) => file.isFile());
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      expect(readFileSync(join(file.parentPath, file.name), 'utf8')).not.toContain('a-secret-value');
    }
    scene.server.stop({ attemptId: dispatch.attemptId, fence: 1, reason: 'cancelled' });
    await scene.finished(dispatch);
  });

  it('stops on SIGTERM within seconds and leaves its attempts running for the next one', async () => {
    const dispatch = scene.run({ script: COUNTING });
    await scene.printed(dispatch, 'up');
    await scene.agent.signal('SIGTERM');
    expect(await scene.agent.exit()).toBe(0);
    expect(await processesOf(dispatch.attemptId)).not.toEqual([]);
    await restart();
    letGo(dispatch.attemptId);
    expect(await scene.finished(dispatch)).toMatchObject({ exitCode: 4 });
  });
});

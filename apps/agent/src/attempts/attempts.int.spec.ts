import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentScene } from '../testing/agent-scene.js';
import { waitUntil } from '../testing/wait-until.js';

describe('an agent that runs attempts', () => {
  const scene = new AgentScene();
  beforeAll(() => scene.open({ MEDLEY_HOME: '/srv/medley-installation', SECRET_OF_THE_AGENT: 'do-not-hand-on' }));
  afterAll(() => scene.close());

  it('reports started, output and finished in order, and removes the directory once the end is acknowledged', async () => {
    const dispatch = scene.run({ script: 'echo out; echo err >&2; pwd' });
    const end = await scene.finished(dispatch);
    expect(end).toMatchObject({ outcome: 'succeeded', exitCode: 0, signal: null, detail: null });
    expect(scene.server.seen(dispatch.attemptId).reports[0]?.body.type).toBe('started');
    const directory = join(scene.agent.home, 'attempts', dispatch.attemptId);
    expect(scene.stdout(dispatch)).toBe(`out\n${join(directory, 'work')}\n`);
    expect(scene.stderr(dispatch)).toBe('err\n');
    await waitUntil('directory removed', () => !existsSync(directory));
  });

  it('reports what the task wrote to MEDLEY_OUTPUT with its end, and fails one that wrote too much or something else', async () => {
    const good = await scene.finished(
      scene.run({ script: 'echo rows=120000 >> "$MEDLEY_OUTPUT"; echo \'{"model": "m"}\' >> "$MEDLEY_OUTPUT"' }),
    );
    expect(good).toMatchObject({ outcome: 'succeeded', outputs: { rows: 120000, model: 'm' } });
    expect(await scene.finished(scene.run({ script: 'true' }))).not.toHaveProperty('outputs');
    const large = await scene.finished(scene.run({ script: 'head -c 70000 /dev/zero > "$MEDLEY_OUTPUT"' }));
    expect(large).toMatchObject({
      outcome: 'failed',
      exitCode: 0,
      detail: 'its outputs take 70000 bytes, more than the 65536 that are kept',
    });
    const linked = await scene.finished(scene.run({ script: 'ln -s /etc/passwd "$MEDLEY_OUTPUT"; exit 3' }));
    expect(linked).toMatchObject({ outcome: 'failed', exitCode: 3, detail: 'its outputs cannot be read: their file is a link' });
  });

  it('reports exit status and signal of a failed script', async () => {
    const failed = await scene.finished(scene.run({ script: 'exit 7' }));
    expect(failed).toMatchObject({ outcome: 'failed', exitCode: 7, signal: null });
    const killed = await scene.finished(scene.run({ script: 'kill -9 $$' }));
    expect(killed).toMatchObject({ outcome: 'failed', exitCode: 137, signal: 'SIGKILL' });
  });

  it('delivers every byte of a large output with multi-byte text, cut at any place', async () => {
    const text = '排程🚀é'.repeat(60_000);
    const script = `const b = Buffer.from('排程🚀é'.repeat(60000)); let i = 0;
      const next = () => { if (i < b.length) { process.stdout.write(b.subarray(i, i += 99991)); setTimeout(next, 5); } }; next();`;
    const dispatch = scene.run({ kind: 'node', script });
    await scene.finished(dispatch);
    const bytes = scene.server.output(dispatch.attemptId, 'stdout');
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it('gives the task its identity and its own variables, and nothing of the agent', async () => {
    scene.server.declaredSpeed = 2.5;
    scene.server.renewNext = true;
    const sessions = scene.server.sessions.length;
    await waitUntil('renewed session', () => scene.server.sessions.length > sessions);
    const dispatch = scene.run({ script: 'env', taskKey: 'clean', attemptNumber: 3, env: { REGION: 'north', MEDLEY_FENCE: '99' } });
    await scene.finished(dispatch);
    const variables = new Map(
      scene
        .stdout(dispatch)
        .trim()
        .split('\n')
        .map((line) => line.split('=', 2) as [string, string]),
    );
    expect(Object.fromEntries(variables)).toMatchObject({
      MEDLEY_TASK_RUN_ID: dispatch.taskRunId,
      MEDLEY_ATTEMPT_ID: dispatch.attemptId,
      MEDLEY_FENCE: '1',
      MEDLEY_TASK: 'clean',
      MEDLEY_ATTEMPT: '3',
      MEDLEY_NODE: 'node-1',
      MEDLEY_SPEED: '2.5',
      MEDLEY_HOME: '/srv/medley-installation',
      REGION: 'north',
    });
    const foreign = [...variables.keys()].filter((name) => /TOKEN|SERVER_URL|AGENT|SECRET/.test(name));
    expect(foreign).toEqual([]);
  });

  it('runs python and node scripts, ESM and CommonJS', async () => {
    const python = scene.run({ kind: 'python', script: 'print("snake 排程")' });
    const esm = scene.run({ kind: 'node', script: 'import { sep } from "node:path"; console.log(await Promise.resolve(sep));' });
    const commonJs = scene.run({ kind: 'node', script: 'console.log(require("node:path").sep);' });
    for (const dispatch of [python, esm, commonJs]) {
      expect(await scene.finished(dispatch)).toMatchObject({ outcome: 'succeeded' });
    }
    expect([python, esm, commonJs].map((dispatch) => scene.stdout(dispatch))).toEqual(['snake 排程\n', '/\n', '/\n']);
  });

  it('finishes a noop at once with a single report', async () => {
    const dispatch = scene.run({ kind: 'noop', script: null });
    expect(await scene.finished(dispatch)).toMatchObject({ outcome: 'succeeded', runSeconds: 0 });
    expect(scene.server.seen(dispatch.attemptId).reports).toHaveLength(1);
  });

  it('caps the log with a marker and goes on to the end', async () => {
    const dispatch = scene.run({
      script: 'i=0; while [ $i -lt 3000 ]; do echo 0123456789; i=$((i+1)); done; echo last',
      logCapBytes: 1000,
    });
    expect(await scene.finished(dispatch)).toMatchObject({ outcome: 'succeeded' });
    expect(scene.server.output(dispatch.attemptId, 'stdout')).toHaveLength(1000);
    expect(scene.server.output(dispatch.attemptId, 'system').toString()).toBe(
      'medley: the log is capped at 1000 bytes; later output was not kept\n',
    );
  });

  it('fails an attempt whose environment the system refuses, and says why', async () => {
    const end = await scene.finished(scene.run({ env: { HUGE: 'x'.repeat(3_000_000) } }));
    expect(end).toMatchObject({ outcome: 'failed', exitCode: null });
    expect(end.detail).toContain('environment is too large');
  });

  it('measures the machine in the background and tells it by heartbeat', async () => {
    expect(scene.server.sessions[0]?.performance).toBeNull();
    // Agents of other tests on this machine have their turn before.
    const performance = await waitUntil('performance', () => scene.server.heartbeats.at(-1)?.performance, 100_000);
    expect(performance.singleCore).toBeGreaterThan(0);
    expect(performance.diskMibPerSecond).toBeGreaterThan(0);
  }, 110_000);

  describe('http tasks', () => {
    const target = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) {
        chunks.push(chunk as Buffer);
      }
      const status = request.url?.startsWith('/missing') ? 404 : 200;
      response.writeHead(status).end(`${request.method} ${request.headers['x-token'] ?? ''} ${Buffer.concat(chunks).toString()}`);
    });
    const DEFAULT_STATUSES = [200, 201, 202, 203, 204, 205, 206];
    let address = '';
    beforeAll(async () => {
      await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
      address = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
    });
    afterAll(() => void target.close());

    const call = (path: string, expectStatus: number[] = DEFAULT_STATUSES) => ({
      kind: 'http' as const,
      script: null,
      http: { method: 'POST', url: address + path, headers: { 'x-token': 'secret' }, body: '{"a":"排程"}', expectStatus },
    });

    it('prints status and body, and succeeds on 2xx or an expected status', async () => {
      const plain = scene.run(call('/hook'));
      expect(await scene.finished(plain)).toMatchObject({ outcome: 'succeeded' });
      expect(scene.stdout(plain)).toBe('HTTP 200 OK\nPOST secret {"a":"排程"}');
      expect(await scene.finished(scene.run(call('/missing', [404])))).toMatchObject({ outcome: 'succeeded' });
    });

    it('fails on an unexpected status and on a dead address, with the reason in its detail and in the log', async () => {
      const missing = scene.run(call('/missing?token=secret'));
      const detail = `HTTP 404 from ${address}/missing, expected 200 to 206`;
      expect(await scene.finished(missing)).toMatchObject({ outcome: 'failed', exitCode: 1, detail });
      expect(scene.stderr(missing)).toBe(`medley: ${detail}\n`);
      const dead = scene.run({
        ...call('/'),
        http: { method: 'GET', url: 'http://127.0.0.1:1/x?token=s', headers: {}, body: null, expectStatus: DEFAULT_STATUSES },
      });
      expect(await scene.finished(dead)).toMatchObject({
        outcome: 'failed',
        detail: expect.stringMatching(/^GET http:\/\/127\.0\.0\.1:1\/x failed: .+/),
      });
      expect(scene.stderr(dead)).toMatch(/GET http:\/\/127\.0\.0\.1:1\/x failed: .+/);
    });
  });
});

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentScene } from '../testing/agent-scene.js';
import { waitUntil } from '../testing/wait-until.js';

const secret = 'a-secret/value';

describe('a task with secrets', () => {
  const scene = new AgentScene();
  beforeAll(() => scene.open());
  afterAll(() => scene.close());

  /** Nothing anywhere in the agent's home, in any form. */
  function expectCleanHome(): void {
    const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').slice(0, -2)];
    const files = readdirSync(scene.agent.home, { withFileTypes: true, recursive: true }).filter((file) => file.isFile());
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) {
      const text = readFileSync(join(file.parentPath, file.name), 'latin1');
      for (const form of forms) expect(text, file.name).not.toContain(form);
    }
  }

  it('prints them masked, in pieces and encoded, and none reaches the disk, also while no agent runs', async () => {
    const script = `echo up; printf a-sec; sleep 0.2; echo "ret/value."; echo "err $TOKEN" >&2
      printf "x$TOKEN" | base64; until [ -e go ]; do sleep 0.05; done; echo "late $TOKEN"
      echo "given=$TOKEN" >> "$MEDLEY_OUTPUT"; until [ -e end ]; do sleep 0.05; done; exit 4`;
    const dispatch = scene.run({ script, env: { TOKEN: secret }, secrets: [secret] });
    await scene.printed(dispatch, '.\n');
    expectCleanHome();
    await scene.agent.signal('SIGKILL');
    const work = join(scene.agent.home, 'attempts', dispatch.attemptId, 'work');
    writeFileSync(join(work, 'go'), '');
    await waitUntil('late output', () => readFileSync(join(work, '../stdout'), 'utf8').includes('late'));
    writeFileSync(join(work, 'end'), '');
    await waitUntil('its end', () => readdirSync(join(work, '..')).includes('exit'));
    expectCleanHome();
    scene.agent.start();
    expect(await scene.finished(dispatch)).toMatchObject({ outcome: 'failed', exitCode: 4, outputs: { given: '•••' } });
    expect(scene.stdout(dispatch)).toMatch(/^up\n•••\.\n.*•••.*\nlate •••\n$/);
    expect(scene.stderr(dispatch)).toBe('err •••\n');
  });

  it('is stopped and killed as any other', async () => {
    const dispatch = scene.run({ script: 'echo up; sleep 60', env: { TOKEN: secret }, secrets: [secret], graceSeconds: 1 });
    await scene.printed(dispatch, 'up');
    scene.server.stop({ attemptId: dispatch.attemptId, fence: 1, reason: 'cancelled' });
    expect(await scene.finished(dispatch)).toMatchObject({ outcome: 'cancelled', signal: 'SIGTERM' });
    const killed = await scene.finished(scene.run({ script: 'kill -9 $$', secrets: [secret] }));
    expect(killed).toMatchObject({ outcome: 'failed', exitCode: 137, signal: 'SIGKILL' });
  });

  it('gives no outputs when it is killed before they are masked: what it wrote is sent in no form', async () => {
    const script = `trap '' TERM; echo "given=$TOKEN" >> "$MEDLEY_OUTPUT"; echo up; while :; do sleep 1; done`;
    const dispatch = scene.run({ script, env: { TOKEN: secret }, secrets: [secret], graceSeconds: 1 });
    await scene.printed(dispatch, 'up');
    scene.server.stop({ attemptId: dispatch.attemptId, fence: 1, reason: 'cancelled' });
    const finished = await scene.finished(dispatch);
    expect(finished).toMatchObject({ outcome: 'cancelled' });
    expect(finished).not.toHaveProperty('outputs');
    expect(JSON.stringify(finished)).not.toContain(secret);
  });

  it('shows them masked in the answer, the outputs and the fault of an HTTP call', async () => {
    const target = createServer((request, response) => {
      response.writeHead(request.url!.startsWith('/ok') ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ token: request.headers['x-token'] }));
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
    const call = (path: string) => ({
      kind: 'http' as const,
      script: null,
      secrets: [secret],
      http: {
        method: 'GET',
        url: address + path,
        headers: { 'x-token': secret },
        body: null,
        expectStatus: [200],
        outputs: { t: 'json.token' },
      },
    });
    const good = scene.run(call('/ok'));
    expect(await scene.finished(good)).toMatchObject({ outcome: 'succeeded', outputs: { t: '•••' } });
    expect(scene.stdout(good)).toBe('HTTP 200 OK\n{"token":"•••"}');
    const bad = await scene.finished(scene.run(call(`/${encodeURIComponent(secret)}`)));
    expect(bad).toMatchObject({ outcome: 'failed', detail: `HTTP 404 from ${address}/•••, expected 200` });
    target.close();
  });
});

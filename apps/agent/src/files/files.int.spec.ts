import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FetchOrder, KeepLimits } from '@medley/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentScene } from '../testing/agent-scene.js';
import { waitUntil } from '../testing/wait-until.js';

const limits: KeepLimits = { files: 3, fileBytes: 1000, taskBytes: 2000 };
const keeping = (...patterns: string[]) => ({ files: { keep: { patterns, limits }, fetch: [] } });

describe('working files of an attempt', () => {
  let scene: AgentScene;
  beforeEach(async () => {
    scene = new AgentScene();
    await scene.open();
  });
  afterEach(() => scene.close());

  const keptBy = (attemptId: string) =>
    Object.fromEntries([...scene.server.kept].filter(([key]) => key.startsWith(attemptId)).map(([key, text]) => [key.slice(37), text]));
  const offered = (path: string, text: string): FetchOrder => {
    const id = randomUUID();
    scene.server.offered.set(id, text);
    return { id, path, bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
  };

  it('are sent as its patterns say before its end is reported', async () => {
    const dispatch = scene.run({
      script: 'mkdir -p out/deep; echo one > a.txt; echo two > out/deep/b.txt; echo no > c.log; : > out/empty.txt',
      ...keeping('*.txt', 'out/**/*.txt'),
    });
    expect(await scene.finished(dispatch)).toMatchObject({ outcome: 'succeeded', detail: null });
    expect(keptBy(dispatch.attemptId)).toEqual({ 'a.txt': 'one\n', 'out/deep/b.txt': 'two\n', 'out/empty.txt': '' });
  });

  it('are never what a link points to, be it to a file or into a folder', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'medley-outside-'));
    writeFileSync(join(outside, 'secret.txt'), 'secret');
    const script = `echo mine > mine.txt; ln -s ${outside}/secret.txt link.txt; ln -s ${outside} folder; mkdir real; ln -s .. real/up`;
    const dispatch = scene.run({ script, ...keeping('**') });
    expect(await scene.finished(dispatch)).toMatchObject({ outcome: 'succeeded' });
    expect(keptBy(dispatch.attemptId)).toEqual({ 'mine.txt': 'mine\n' });
    rmSync(outside, { recursive: true });
  });

  it.each([
    ['for i in 1 2 3 4; do echo x > $i.txt; done', 'it was to keep 4 files, more than the 3 that a task may keep'],
    ['head -c 1001 /dev/zero > big.txt', 'it was to keep `big.txt` of 1001 bytes, more than the 1000 that one file may have'],
    [
      'for i in 1 2 3; do head -c 700 /dev/zero > $i.txt; done',
      'it was to keep files of 2100 bytes together, more than the 2000 that a task may keep',
    ],
  ])('fail it where they exceed what may be kept: %s', async (script, detail) => {
    const dispatch = scene.run({ script, ...keeping('*.txt') });
    expect(await scene.finished(dispatch)).toMatchObject({ outcome: 'failed', exitCode: 0, detail });
    expect(keptBy(dispatch.attemptId)).toEqual({});
  });

  it('are not sent of an attempt that failed', async () => {
    const dispatch = scene.run({ script: 'echo x > a.txt; exit 3', ...keeping('*.txt') });
    expect(await scene.finished(dispatch)).toMatchObject({ outcome: 'failed', exitCode: 3 });
    expect(keptBy(dispatch.attemptId)).toEqual({});
  });

  it('are sent again until the server takes them', async () => {
    scene.server.fileRefusals = 2;
    const dispatch = scene.run({ script: 'echo x > a.txt', ...keeping('*.txt') });
    expect(await scene.finished(dispatch)).toMatchObject({ outcome: 'succeeded' });
    expect(keptBy(dispatch.attemptId)).toEqual({ 'a.txt': 'x\n' });
    expect(scene.server.fileRefusals).toBe(0);
  });

  it('are sent by the next agent where the one before it was killed meanwhile', async () => {
    scene.server.fileRefusals = Number.POSITIVE_INFINITY;
    const dispatch = scene.run({ script: 'echo x > a.txt', ...keeping('*.txt') });
    await waitUntil('the process has ended', () => existsSync(join(scene.agent.home, 'attempts', dispatch.attemptId, 'exit')));
    await scene.agent.signal('SIGKILL');
    scene.server.fileRefusals = 0;
    scene.agent.start();
    expect(await scene.finished(dispatch)).toMatchObject({ outcome: 'succeeded' });
    expect(keptBy(dispatch.attemptId)).toEqual({ 'a.txt': 'x\n' });
  });

  it('are given up by a stop while they wait for the server', async () => {
    scene.server.fileRefusals = Number.POSITIVE_INFINITY;
    const dispatch = scene.run({ script: 'echo x > a.txt', ...keeping('*.txt') });
    await waitUntil('the process has ended', () => existsSync(join(scene.agent.home, 'attempts', dispatch.attemptId, 'exit')));
    scene.server.stop({ attemptId: dispatch.attemptId, fence: 1, reason: 'cancelled' });
    expect(await scene.finished(dispatch)).toMatchObject({ outcome: 'cancelled' });
  });

  it('of earlier tasks lie there before it begins', async () => {
    const fetch = [offered('in/0/part.csv', 'zero'), offered('in/1/part.csv', 'one')];
    scene.server.fileRefusals = 1;
    const dispatch = scene.run({ script: 'cat in/0/part.csv in/1/part.csv', files: { fetch } });
    expect(await scene.finished(dispatch)).toMatchObject({ outcome: 'succeeded' });
    expect(scene.stdout(dispatch)).toBe('zeroone');
  });

  it('fail it where an earlier one is gone, and where it is not what was kept', async () => {
    const gone = scene.run({ script: 'echo ran', files: { fetch: [{ ...offered('a', 'x'), id: randomUUID() }] } });
    expect((await scene.finished(gone)).detail).toContain('`a` could not be fetched: not-found (404): there is no such file');
    const other = scene.run({ script: 'echo ran', files: { fetch: [{ ...offered('b', 'x'), sha256: '0'.repeat(64) }] } });
    const end = await scene.finished(other, 30_000);
    expect(end).toMatchObject({ outcome: 'failed', exitCode: null });
    expect(end.detail).toContain('`b` could not be fetched: its content is not what was kept');
    expect(scene.stdout(gone) + scene.stdout(other)).toBe('');
  });
});

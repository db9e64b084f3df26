import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { FileLookAnswer, FileLookResult } from '@medley/contracts';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentScene } from '../testing/agent-scene.js';
import { waitUntil } from '../testing/wait-until.js';
import { FileLooks } from './file-looks.js';
import { lookForFile } from './look-for-file.js';

describe('looking for files that tasks wait for', () => {
  let directory: string;
  let allowed: string;
  const within = (...names: string[]) => join(allowed, ...names);
  const modifiedAt = '2026-03-01T07:00:00.000Z';

  beforeAll(async () => {
    directory = await realpath(await mkdtemp(join(tmpdir(), 'medley-looks-')));
    allowed = join(directory, 'in');
    await mkdir(within('sub'), { recursive: true });
    await mkdir(join(directory, 'in-side'));
    await writeFile(join(directory, 'secret'), 'secret');
    await writeFile(join(directory, 'in-side', 'x'), '');
    await writeFile(within('ready'), 'ready!');
    await utimes(within('ready'), new Date(modifiedAt), new Date(modifiedAt));
    await symlink(within('ready'), within('sub', 'link'));
    await symlink(join(directory, 'secret'), within('out'));
    await symlink(join(directory, 'nothing'), within('out-to-nothing'));
    await symlink(directory, within('up'));
    await symlink(allowed, join(directory, 'alias'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  it.each([
    ['ready', { outcome: 'there', sizeBytes: 6, modifiedAt }],
    ['sub/link', { outcome: 'there', sizeBytes: 6, modifiedAt }],
    ['sub/../ready', { outcome: 'there', sizeBytes: 6, modifiedAt }],
    ['late', { outcome: 'absent' }],
    ['not/yet/there', { outcome: 'absent' }],
    ['sub', { outcome: 'failed', fault: 'EISDIR' }],
    ['ready/x', { outcome: 'failed', fault: 'ENOTDIR' }],
    ['out', { outcome: 'not-allowed' }],
    ['out-to-nothing', { outcome: 'not-allowed' }],
    ['out-to-nothing/x', { outcome: 'not-allowed' }],
    ['up/secret', { outcome: 'not-allowed' }],
    ['up/nothing', { outcome: 'not-allowed' }],
    ['../secret', { outcome: 'not-allowed' }],
    ['../in-side/x', { outcome: 'not-allowed' }],
  ] as [string, FileLookResult][])('finds %s as it is: %j', async (name, result) => {
    expect(await lookForFile(`${allowed}/${name}`, [allowed])).toEqual(result);
  });

  it('follows a list that names a directory by a link, and refuses everything without a list', async () => {
    const alias = join(directory, 'alias');
    expect(await lookForFile(join(alias, 'ready'), [alias])).toMatchObject({ outcome: 'there' });
    expect(await lookForFile(within('ready'), [])).toEqual({ outcome: 'not-allowed' });
  });

  it('answers in time where the file system hangs, and looks no further than two at once', async () => {
    const hung: string[] = [];
    const told: FileLookAnswer[] = [];
    const client = { request: async ({ body }: { body?: unknown }) => void told.push(...(body as { answers: FileLookAnswer[] }).answers) };
    const look = (path: string) => new Promise<FileLookResult>(() => hung.push(path));
    const looks = new FileLooks({
      client: client as never,
      look,
      log: pino({ level: 'silent' }),
      signal: new AbortController().signal,
      seconds: 0.05,
    });
    const asked = ['/a', '/b', '/c'].map((path) => ({ watchId: randomUUID(), look: 1, path }));
    looks.begin(asked);
    looks.begin(asked);
    await waitUntil('an answer to each', () => told.length === 3);
    expect(hung).toEqual(['/a', '/b']);
    expect(told.map(({ result }) => result.outcome)).toEqual(['timeout', 'timeout', 'timeout']);
  });

  it('is done by the agent when a heartbeat is answered with it, and told until the server has it', async () => {
    const scene = new AgentScene();
    await scene.open({ MEDLEY_AGENT_WATCH_PATHS: [join(directory, 'none'), allowed].join(delimiter) });
    try {
      const watchId = randomUUID();
      scene.server.looks = [
        { watchId, look: 3, path: within('ready') },
        { watchId: randomUUID(), look: 1, path: within('out') },
      ];
      await waitUntil('both answers', () => scene.server.looks.length === 0);
      expect(scene.server.lookAnswers).toContainEqual({ watchId, look: 3, result: { outcome: 'there', sizeBytes: 6, modifiedAt } });
      expect(scene.server.lookAnswers.map(({ result }) => result.outcome).sort()).toEqual(['not-allowed', 'there']);
    } finally {
      await scene.close();
    }
  });
});

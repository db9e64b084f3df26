import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileTransfer } from './file-transfer.js';
import type { ServerClient } from './server-client.js';
import { ServerAnswerError, ServerUnreachableError } from './server-errors.js';

const ref = { attemptId: '01900000-0000-7000-8000-000000000001', fence: 1 };
const never = new AbortController().signal;
type Transfer = ServerClient['transfer'];

describe('a transfer of files', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'medley-transfer-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const over = (transfer: Transfer) => new FileTransfer({ transfer } as unknown as ServerClient);
  const query = (path: string) => ({ ...ref, path, bytes: 1, sha256: '0'.repeat(64) });

  it('tells a file that cannot be read from a server that cannot be reached, as nothing would come of asking again', async () => {
    const files = over(async (_method, _path, body) => {
      try {
        for await (const _ of body as Readable);
      } catch (error) {
        throw new ServerUnreachableError('http://server', error);
      }
      throw new Error('the body should have failed');
    });
    await expect(files.send(join(directory, 'gone'), query('gone'), never)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('opens nothing for a file that the server refuses', async () => {
    const files = over(async () => Promise.reject(new ServerAnswerError(404, 'not-found', 'there is no such file')));
    await expect(files.fetch('id', ref, join(directory, 'wanted'), never)).rejects.toThrow('not-found');
    expect(readdirSync(directory)).toEqual([]);
    const open = readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return '';
      }
    });
    expect(open.filter((path) => path.startsWith(directory))).toEqual([]);
  });

  it('is given up by its owner also while others have all places, and leaves its place to the next', async () => {
    const held: (() => void)[] = [];
    const files = over(async (_method, _path, _body, signal) => {
      await new Promise<void>((resolve, reject) => {
        held.push(resolve);
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      return { body: Readable.from(['x']) } as never;
    });
    const fetched = (name: string, signal = never) => files.fetch(name, ref, join(directory, name), signal);
    const under = ['a', 'b', 'c', 'd'].map((name) => fetched(name));
    const stop = new AbortController();
    const waiting = fetched('e', stop.signal);
    const next = fetched('f');
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    for (const end of held) end();
    await Promise.all(under);
    await expect.poll(() => held.length).toBe(5);
    held[4]!();
    await next;
    expect(readdirSync(directory).sort()).toEqual(['a', 'b', 'c', 'd', 'f']);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inTurn, turnAddress } from './measuring-turn.js';

const never = new AbortController().signal;
const MINUTE = 60_000;

/** A process that listens there until it is killed. */
async function holderOf(address: string) {
  const script = 'require("node:net").createServer().listen(process.argv[1].replace("@", "\\0"), () => console.log("listening"))';
  const holder = spawn(process.execPath, ['-e', script, address.replace('\0', '@')], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(holder.stdout, 'data');
  return holder;
}

describe.each([
  ['the address of this platform', turnAddress(`medley-turn-test-${process.pid}`, process.platform)],
  ['a socket file', join(tmpdir(), `medley-turn-test-${process.pid}.socket`)],
])('a turn at %s', (_, address) => {
  it('is had by one at a time, and by all in the end', async () => {
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside -= 1;
      return 'done';
    };
    const all = await Promise.all(Array.from({ length: 5 }, () => inTurn(address, MINUTE, never, work)));
    expect(all).toEqual(Array(5).fill('done'));
    expect(most).toBe(1);
  });

  it('is free again once its holder was killed', async () => {
    const holder = await holderOf(address);
    let had = false;
    const waiting = inTurn(address, MINUTE, never, async () => {
      had = true;
    });
    expect(had).toBe(false);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    await waiting;
    expect(existsSync(address)).toBe(false);
  });

  it('is not waited for without end, and not after a stop', async () => {
    const holder = await holderOf(address);
    expect(await inTurn(address, 1, never, async () => 'went on')).toBe('went on');
    const stop = new AbortController();
    const waiting = inTurn(address, MINUTE, stop.signal, async () => 'ran');
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    holder.kill('SIGKILL');
    await once(holder, 'exit');
  });

  it('is given back when the work fails', async () => {
    await expect(inTurn(address, MINUTE, never, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await inTurn(address, MINUTE, never, async () => 'next')).toBe('next');
  });
});

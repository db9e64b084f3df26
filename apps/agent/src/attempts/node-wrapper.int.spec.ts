import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../testing/wait-until.js';
import { readExitStatus, readWrapper } from './attempt-files.js';
import { createProcessTree } from './process-tree.js';

const PROGRAM = fileURLToPath(new URL('../../dist/attempts/node-wrapper.js', import.meta.url));

describe('the wrapper in Node, for platforms without a Bourne shell', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'medley-node-wrapper-'));
    mkdirSync(join(directory, 'work'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const start = (...command: string[]) =>
    spawn(process.execPath, [PROGRAM, directory, ...command], { stdio: ['pipe', 'ignore', 'ignore'] });
  const output = (name: 'stdout' | 'stderr') => (existsSync(join(directory, name)) ? readFileSync(join(directory, name), 'utf8') : '');

  it('runs the command in its directory, keeps its output apart and hands on its input', async () => {
    const wrapper = start(process.execPath, '-e', 'process.stdin.pipe(process.stdout); console.error(process.cwd()); process.exitCode = 7');
    wrapper.stdin.end('from the agent');
    await once(wrapper, 'exit');
    expect(await readExitStatus(directory)).toBe(7);
    expect([output('stdout'), output('stderr')]).toEqual(['from the agent', `${join(directory, 'work')}\n`]);
  });

  it('is known by pid and start before the command runs, and notes how a stop of the whole tree ended it', async () => {
    const wrapper = start(process.execPath, '-e', 'console.log(process.pid); setInterval(() => {}, 1000)');
    await waitUntil('the command runs', () => /\d+\n/.test(output('stdout')));
    const known = (await readWrapper(directory))!;
    expect(known.pid).toBe(wrapper.pid);
    expect(known.startMark).toBe(await createProcessTree(process.platform).startMark(wrapper.pid!));
    for (const pid of [wrapper.pid!, Number(output('stdout'))]) process.kill(pid, 'SIGTERM');
    await once(wrapper, 'exit');
    expect(await readExitStatus(directory)).toBe(128 + 15);
  });

  it('tells a command that does not exist', async () => {
    await once(start(join(directory, 'no-such-program')), 'exit');
    expect(await readExitStatus(directory)).toBe(127);
    expect(output('stderr')).toContain('ENOENT');
  });
});

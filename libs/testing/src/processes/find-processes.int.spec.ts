import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../services/temporary-directory.js';
import { waitFor } from '../waiting/wait-for.js';
import { endProcessesByMarker, findProcessesByMarker, isSameProcess, readProcess } from './find-processes.js';

describe('findProcessesByMarker', () => {
  it('sees a marker in the environment, the command line or the working directory', async () => {
    const directory = temporaryDirectory('marker');
    const byEnvironment = spawn('sleep', ['600'], { env: { ...process.env, SOME_PLACE: directory.path } });
    const byCommand = spawn('sh', ['-c', `sleep 600; : ${directory.path}`]);
    const byDirectory = spawn('sleep', ['600'], { cwd: directory.path });

    const pids = await waitFor(() => {
      const found = findProcessesByMarker(directory.path).map(({ pid }) => pid);
      return [byEnvironment, byCommand, byDirectory].every((child) => found.includes(child.pid!)) && found;
    });

    expect(pids).not.toContain(process.pid);
    await endProcessesByMarker(directory.path);
    expect(findProcessesByMarker(directory.path)).toEqual([]);
    directory.remove();
  });

  it('tells a process from a later one with the same pid by its start time', () => {
    const own = readProcess(process.pid);
    expect(isSameProcess(process.pid, own!.startTime)).toBe(true);
    expect(isSameProcess(process.pid, own!.startTime + 1)).toBe(false);
  });
});

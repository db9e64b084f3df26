import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  constants as fsConstants,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { maxOutputBytes, readOutputs } from '@medley/core';
import { SecretMask } from '../masking/secret-mask.js';
import { OUTPUT_VALUES_FILE, UNBEGUN_FILE } from './executor.js';

/**
 * Runs a command whose output may hold secrets: it stands between the command and the files of its output, so that none reaches the disk,
 * also while no agent runs. The secrets come by stdin. Arguments: the attempt directory, then the command.
 */
const [directory, ...command] = process.argv.slice(2) as [string, ...string[]];
/** A program of its own: its environment is the command's, but for where outputs go. */
const ownEnvironment = process.env;
/** So long after the command's end its output may still come; a process that it left behind and that holds the pipe is not waited for. */
const DRAIN_MS = 500;
/** The command writes its outputs here, which the agent never reads: one that is killed before they are masked gives none. */
const RAW_FILE = 'outputs.unmasked';

/** The secrets, or null when the agent ended before it had handed over all of them. */
function parseSecrets(input: string): string[] | null {
  try {
    return JSON.parse(input) as string[];
  } catch {
    return null;
  }
}

function pipe(from: Readable, to: Writable, mask: SecretMask): () => void {
  const stream = mask.stream();
  from.on('data', (chunk: Buffer) => {
    const masked = stream.push(chunk);
    if (masked.length > 0) to.write(masked);
  });
  return () => void to.write(stream.end());
}

async function untilEnded(child: ChildProcess): Promise<number> {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const status = await new Promise<number>((resolve) => {
    child.once('error', (error) => {
      process.stderr.write(`medley: ${error.message}\n`);
      resolve(127);
    });
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, DRAIN_MS).unref())]);
  return status;
}

/** Anything but a readable regular file is left as it is: the agent refuses it. */
function maskOutputs(mask: SecretMask): void {
  const path = join(directory, OUTPUT_VALUES_FILE);
  const raw = join(directory, RAW_FILE);
  let file: number;
  try {
    file = openSync(raw, fsConstants.O_RDWR | (fsConstants.O_NOFOLLOW ?? 0) | (fsConstants.O_NONBLOCK ?? 0));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') renameSync(raw, path);
    return;
  }
  try {
    const { size } = fstatSync(file);
    if (!fstatSync(file).isFile()) {
      renameSync(raw, path);
      return;
    }
    if (size > maxOutputBytes) {
      // As long, and empty: the agent tells the length.
      writeFileSync(path, '', { mode: 0o600 });
      truncateSync(path, size);
      return;
    }
    const bytes = Buffer.alloc(size);
    readSync(file, bytes, 0, size, 0);
    const given = readOutputs(bytes.toString('utf8'), size);
    const masked = given.ok ? JSON.stringify(mask.deep(given.outputs)) : mask.text(bytes.toString('utf8'));
    closeSync(file);
    file = -1;
    writeFileSync(path, masked, { mode: 0o600 });
  } finally {
    if (file >= 0) closeSync(file);
    rmSync(raw, { force: true });
  }
}

const secrets = parseSecrets(await text(process.stdin));
if (secrets === null) {
  writeFileSync(join(directory, UNBEGUN_FILE), '');
  process.exitCode = 1;
} else {
  // A stop reaches the whole tree; this process notes how the command ended.
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  const mask = new SecretMask(secrets);
  const env = { ...ownEnvironment, MEDLEY_OUTPUT: join(directory, RAW_FILE) };
  const child = spawn(command[0]!, command.slice(1), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const flushes = [pipe(child.stdout!, process.stdout, mask), pipe(child.stderr!, process.stderr, mask)];
  const status = await untilEnded(child);
  for (const flush of flushes) flush();
  maskOutputs(mask);
  process.exit(status);
}

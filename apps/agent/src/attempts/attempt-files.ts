import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { phraseSchema } from '@medley/contracts';
import { type Phrase, phrase, sayPhrase } from '@medley/core';
import { DETAIL_FILE, UNBEGUN_FILE } from '../executors/executor.js';
import { parseExitFile, parsePidFile } from './wrapper.js';

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

/** Status the wrapper left, or null when it left none. */
export async function readExitStatus(directory: string): Promise<number | null> {
  return parseExitFile(await readText(join(directory, 'exit')));
}

export async function readWrapper(directory: string): Promise<{ pid: number; startMark: string } | null> {
  return parsePidFile(await readText(join(directory, 'pid')));
}

/** What the command said of its failure, or null. */
export async function readDetail(directory: string): Promise<Phrase | null> {
  const text = (await readText(join(directory, DETAIL_FILE))).trim();
  return text === '' ? null : (parsePhrase(text) ?? phrase('as-told', { text }));
}

/** What is written there is of the attempt and may be anything. */
function parsePhrase(text: string): Phrase | null {
  try {
    const read = phraseSchema.parse(JSON.parse(text));
    return sayPhrase(read, 'en') === null ? null : (read as Phrase);
  } catch {
    return null;
  }
}

/** Whether the command ended without having done anything, since the agent was gone before it had told what to do. */
export async function isUnbegun(directory: string): Promise<boolean> {
  return (await stat(join(directory, UNBEGUN_FILE)).catch(() => null)) !== null;
}

/** How long the command ran, from the times of the wrapper's files; used when this agent did not see both ends itself. */
export async function readRunSeconds(directory: string): Promise<number> {
  const [from, to] = await Promise.all(['pid', 'exit'].map((name) => stat(join(directory, name)).catch(() => null)));
  return from && to ? (to.mtimeMs - from.mtimeMs) / 1000 : 0;
}

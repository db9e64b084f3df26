import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { HttpCall } from '@medley/contracts';
import type { Phrase } from '@medley/core';
import { SecretMask } from '../masking/secret-mask.js';
import { DETAIL_FILE, OUTPUT_VALUES_FILE, UNBEGUN_FILE } from './executor.js';
import { addressOf, describeNetworkError, describeStatuses } from './http-outcome.js';

const BODY_CAP_BYTES = 1024 * 1024;

/** What is printed and kept goes through here, so that no secret reaches the disk. */
let mask = new SecretMask([]);

/** Prints the body up to a bound and returns it; null when it was longer. */
async function printBody(answer: Response): Promise<string | null> {
  const chunks: Buffer[] = [];
  const masked = mask.stream();
  let printed = 0;
  for await (const chunk of answer.body ?? []) {
    const kept = chunk.subarray(0, BODY_CAP_BYTES - printed);
    process.stdout.write(masked.push(kept));
    chunks.push(Buffer.from(kept));
    printed += kept.length;
    if (kept.length < chunk.length) {
      process.stdout.write(masked.end());
      process.stderr.write(`medley: the body is longer than ${BODY_CAP_BYTES} bytes; the rest is not shown\n`);
      return null;
    }
  }
  process.stdout.write(masked.end());
  return Buffer.concat(chunks).toString('utf8');
}

/** Evaluates what the task takes from the answer, and leaves it where a script would. Resolves with what was wrong, null when nothing was. */
async function leaveOutputs(request: HttpCall, answer: Response, body: string | null): Promise<Phrase | null> {
  if (Object.keys(request.outputs ?? {}).length === 0) return null;
  if (body === null) return { code: 'answer-too-long', values: { limit: BODY_CAP_BYTES } };
  const { outputsOfAnswer } = await import('./http-outputs.js'); // spares the calls without outputs the time it takes to load
  const taken = outputsOfAnswer(request.outputs!, { status: answer.status, headers: Object.fromEntries(answer.headers), body });
  if (!taken.ok) return taken.fault;
  writeFileSync(join(directory, OUTPUT_VALUES_FILE), `${JSON.stringify(mask.deep(taken.outputs))}\n`, { mode: 0o600 });
  return null;
}

/** Makes the call and prints the answer. Resolves with what was wrong with it, null when it was as expected. */
async function call(request: HttpCall): Promise<Phrase | null> {
  const follow = !request.expectStatus.some((status) => status >= 300 && status < 400);
  const init = { method: request.method, headers: request.headers, body: request.body, redirect: follow ? 'follow' : 'manual' } as const;
  const address = addressOf(request.url);
  let answer: Response;
  try {
    answer = await fetch(request.url, init);
  } catch (error) {
    return { code: 'call-failed', values: { method: request.method, address, why: describeNetworkError(error) } };
  }
  process.stdout.write(mask.text(`HTTP ${answer.status} ${answer.statusText}\n`));
  const body = await printBody(answer);
  const isExpected = request.expectStatus.includes(answer.status);
  if (isExpected) return leaveOutputs(request, answer, body);
  return { code: 'call-status', values: { status: answer.status, address, expected: describeStatuses(request.expectStatus) } };
}

interface CallInput {
  request: HttpCall;
  secrets: string[];
}

/** The request with its secrets, or null when the agent ended before it had handed over all of it. */
function parseRequest(input: string): CallInput | null {
  try {
    return JSON.parse(input) as CallInput;
  } catch {
    return null;
  }
}

const directory = process.argv[2]!;
const input = parseRequest(await text(process.stdin));
if (input === null) {
  writeFileSync(join(directory, UNBEGUN_FILE), '');
  process.exitCode = 1;
} else {
  mask = new SecretMask(input.secrets);
  const told = await call(input.request);
  if (told !== null) {
    const { inEnglish } = await import('@medley/core'); // spares the calls that succeed the time it takes to load
    const fault = mask.deep(told);
    process.stderr.write(`medley: ${inEnglish(fault)}\n`);
    writeFileSync(join(directory, DETAIL_FILE), JSON.stringify(fault), { mode: 0o600 });
    process.exitCode = 1;
  }
}

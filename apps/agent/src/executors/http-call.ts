import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { HttpCall } from '@medley/contracts';
import { DETAIL_FILE, UNBEGUN_FILE } from './executor.js';
import { addressOf, describeNetworkError, describeStatuses } from './http-outcome.js';

const BODY_CAP_BYTES = 1024 * 1024;

async function printBody(answer: Response): Promise<void> {
  let printed = 0;
  for await (const chunk of answer.body ?? []) {
    const kept = chunk.subarray(0, BODY_CAP_BYTES - printed);
    process.stdout.write(kept);
    printed += kept.length;
    if (kept.length < chunk.length) {
      process.stderr.write(`medley: the body is longer than ${BODY_CAP_BYTES} bytes; the rest is not shown\n`);
      return;
    }
  }
}

/** Makes the call and prints the answer. Resolves with what was wrong with it, null when it was as expected. */
async function call(request: HttpCall): Promise<string | null> {
  const follow = !request.expectStatus.some((status) => status >= 300 && status < 400);
  const init = { method: request.method, headers: request.headers, body: request.body, redirect: follow ? 'follow' : 'manual' } as const;
  const address = addressOf(request.url);
  let answer: Response;
  try {
    answer = await fetch(request.url, init);
  } catch (error) {
    return `${request.method} ${address} failed: ${describeNetworkError(error)}`;
  }
  process.stdout.write(`HTTP ${answer.status} ${answer.statusText}\n`);
  await printBody(answer);
  const isExpected = request.expectStatus.includes(answer.status);
  return isExpected ? null : `HTTP ${answer.status} from ${address}, expected ${describeStatuses(request.expectStatus)}`;
}

/** The request, or null when the agent ended before it had handed over all of it. */
function parseRequest(input: string): HttpCall | null {
  try {
    return JSON.parse(input) as HttpCall;
  } catch {
    return null;
  }
}

const directory = process.argv[2]!;
const request = parseRequest(await text(process.stdin));
if (request === null) {
  writeFileSync(join(directory, UNBEGUN_FILE), '');
  process.exitCode = 1;
} else {
  const fault = await call(request);
  if (fault !== null) {
    process.stderr.write(`medley: ${fault}\n`);
    writeFileSync(join(directory, DETAIL_FILE), fault, { mode: 0o600 });
    process.exitCode = 1;
  }
}

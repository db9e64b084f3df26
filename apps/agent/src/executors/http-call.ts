import { text } from 'node:stream/consumers';
import type { HttpCall } from '@medley/contracts';
import { addressOf, describeNetworkError, isExpectedStatus } from './http-outcome.js';

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

async function call(request: HttpCall): Promise<number> {
  const follow = !request.expectStatus.some((status) => status >= 300 && status < 400);
  const init = { method: request.method, headers: request.headers, body: request.body, redirect: follow ? 'follow' : 'manual' } as const;
  let answer: Response;
  try {
    answer = await fetch(request.url, init);
  } catch (error) {
    process.stderr.write(`medley: ${request.method} ${addressOf(request.url)} failed: ${describeNetworkError(error)}\n`);
    return 1;
  }
  process.stdout.write(`HTTP ${answer.status} ${answer.statusText}\n`);
  await printBody(answer);
  if (isExpectedStatus(answer.status, request.expectStatus)) {
    return 0;
  }
  const expected = request.expectStatus.length > 0 ? request.expectStatus.join(', ') : '200-299';
  process.stderr.write(`medley: status ${answer.status} was not expected (expected ${expected})\n`);
  return 1;
}

const input = await text(process.stdin);
if (input === '') {
  process.stderr.write('medley: the agent ended before it could hand over the request\n');
  process.exitCode = 1;
} else {
  process.exitCode = await call(JSON.parse(input) as HttpCall);
}

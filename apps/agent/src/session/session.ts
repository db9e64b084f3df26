import {
  AGENT_PROTOCOL,
  type AttemptRef,
  type MeasuredPerformance,
  type NodeFacts,
  type SessionAnswer,
  type StopOrder,
  sessionAnswerSchema,
} from '@medley/contracts';
import { AppError } from '@medley/core';
import { backoffMs, pause } from '../backoff.js';
import { monotonicMs } from '../clock.js';
import type { Lease } from '../lease/lease.js';
import type { Logger } from '../log.js';
import type { ServerClient } from '../transport/server-client.js';
import { ServerAnswerError } from '../transport/server-errors.js';

export interface SessionOptions {
  client: ServerClient;
  bootId: string;
  facts: () => NodeFacts;
  performance: () => MeasuredPerformance | null;
  live: () => AttemptRef[];
  lease: Lease;
  /** `at` of the last answer, by the database's clock; null before the first. */
  lastAnswer: { at: string | null };
  onStops: (stops: StopOrder[]) => void;
  /** Joins anew with the join token; throws when there is none. Called when the server does not know the credential. */
  rejoin: () => Promise<void>;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Says hello and keeps saying it until a server answers. The answer's stop orders are obeyed before the caller claims anything. Throws for
 * what no repetition mends: no common protocol, or a credential that is unknown while there is no join token.
 */
export async function beginSession(options: SessionOptions): Promise<SessionAnswer> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await hello(options);
    } catch (error) {
      options.signal.throwIfAborted();
      if (error instanceof AppError) {
        throw error;
      }
      if (error instanceof ServerAnswerError) {
        await answerRefusal(options, error);
      }
      options.log.warn({ error: String(error), failures }, 'no session yet, trying again');
      await pause(backoffMs(failures, 100, 5000), options.signal);
    }
  }
}

async function hello({
  client,
  bootId,
  facts,
  performance,
  live,
  lease,
  lastAnswer,
  onStops,
  log,
  signal,
}: SessionOptions): Promise<SessionAnswer> {
  const sentAtMs = monotonicMs();
  const body = { bootId, facts: facts(), performance: performance(), live: live(), lastAnswerAt: lastAnswer.at };
  const answer = await client.request({ method: 'POST', path: 'session', body, answer: sessionAnswerSchema, timeoutMs: 5000, signal });
  if (answer.protocol < AGENT_PROTOCOL.min || answer.protocol > AGENT_PROTOCOL.max) {
    throw protocolMismatch(`the server chose version ${answer.protocol}`);
  }
  await lease.renew(sentAtMs, answer.leaseSeconds);
  lastAnswer.at = answer.at;
  onStops(answer.stops);
  log.info({ nodeId: answer.nodeId, queue: answer.queue !== null, stops: answer.stops.length, live: body.live.length }, 'session begun');
  return answer;
}

async function answerRefusal({ rejoin, log }: SessionOptions, refusal: ServerAnswerError): Promise<void> {
  if (refusal.code === 'protocol-unsupported') {
    throw protocolMismatch(refusal.detail);
  }
  if (refusal.status === 401) {
    log.warn({ error: refusal.message }, 'the server does not know this agent; joining again');
    await rejoin();
  }
}

function protocolMismatch(detail: string): AppError {
  return new AppError(
    'protocol-unsupported',
    `This agent speaks protocol ${AGENT_PROTOCOL.min} to ${AGENT_PROTOCOL.max}: ${detail}. Install an agent of the server's version or of the one before it.`,
  );
}

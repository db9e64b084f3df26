import { createHash } from 'node:crypto';
import { AppError, phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** What makes a creating call repeatable: the key the client chose and a digest of what it asked for. */
export interface Idempotency {
  userId: string;
  key: string;
  requestHash: string;
}

const MAX_KEY_LENGTH = 200;

/** The `Idempotency-Key` of the call, or null when it has none. */
export const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext): Idempotency | null => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || key.length === 0 || key.length > MAX_KEY_LENGTH) {
    throw new AppError('validation-failed', phrase('idempotency-key-form', { limit: MAX_KEY_LENGTH }));
  }
  const asked = JSON.stringify([request.method, request.url, request.body ?? null]);
  return { userId: request.caller!.userId, key, requestHash: createHash('sha256').update(asked).digest('hex') };
});

/**
 * Does `work` once per key: the key is written in the same transaction as what it creates, so that either both are there or neither. A repetition,
 * also one that arrives while the first is at work, gets the first one's answer. Keys are kept for a day. An answer with a secret is not kept: a repetition
 * is refused with idempotency-key-reused.
 */
export async function onceByKey<Answer>(
  sql: Sql,
  idempotency: Idempotency | null,
  work: () => Promise<Answer>,
  answerIs: 'kept' | 'secret' = 'kept',
): Promise<Answer> {
  if (!idempotency) return work();
  const { userId, key, requestHash } = idempotency;
  await sql.query(`delete from idempotency_keys where user_id = $1 and created_at < clock_timestamp() - interval '1 day'`, [userId]);
  const inserted = await sql.query(
    'insert into idempotency_keys (user_id, key, request_hash) values ($1, $2, $3) on conflict (user_id, key) do nothing returning 1',
    [userId, key, requestHash],
  );
  if (inserted.length === 0) return earlierAnswer<Answer>(sql, idempotency);
  const answer = await work();
  if (answerIs === 'kept')
    await sql.query('update idempotency_keys set answer = $3 where user_id = $1 and key = $2', [userId, key, JSON.stringify(answer)]);
  return answer;
}

async function earlierAnswer<Answer>(sql: Sql, { userId, key, requestHash }: Idempotency): Promise<Answer> {
  const [row] = await sql.query<{ request_hash: string; answer: Answer | null }>(
    'select request_hash, answer from idempotency_keys where user_id = $1 and key = $2',
    [userId, key],
  );
  if (row?.request_hash === requestHash) {
    if (row.answer !== null) return row.answer;
    throw new AppError('idempotency-key-reused', phrase('idempotency-answer-secret'));
  }
  throw new AppError('idempotency-key-reused', phrase('idempotency-key-of-other'));
}

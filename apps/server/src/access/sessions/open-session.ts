import { type Sql, uuidv7 } from '@medley/database';
import type { FastifyRequest } from 'fastify';
import { recordSignIn, type SignInMethod } from '../../audit/sign-in-audit.js';
import { generateToken, hashToken } from '../tokens/secrets.js';

export const SESSION_SECONDS = 7 * 24 * 3600;
const MAX_USER_AGENT = 300;

/** From where someone signs in. */
export interface SignInOrigin {
  address: string;
  userAgent: string | null;
  requestId: string;
}

export function originOf(request: FastifyRequest): SignInOrigin {
  return { address: request.ip, userAgent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null, requestId: String(request.id) };
}

/** A new session of a user and the token that its cookie holds. Notes and records the sign-in, and clears sessions that have run out. */
export async function openSession(sql: Sql, userId: string, method: SignInMethod, origin: SignInOrigin): Promise<string> {
  const { address, userAgent } = origin;
  const id = uuidv7();
  const token = generateToken('medley_session');
  await sql.query('delete from sessions where user_id = $1 and expires_at < clock_timestamp()', [userId]);
  await sql.query(
    `insert into sessions (id, user_id, token_hash, address, user_agent, expires_at) values ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(secs => $6))`,
    [id, userId, hashToken(token), address, userAgent, SESSION_SECONDS],
  );
  await sql.query('update users set last_sign_in_at = clock_timestamp() where id = $1', [userId]);
  await recordSignIn(sql, origin, method, { id, userId });
  return token;
}

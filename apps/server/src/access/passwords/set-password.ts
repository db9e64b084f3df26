import type { EndedCredentials } from '@medley/contracts';
import type { Sql } from '@medley/database';
import { forgetFailures } from '../sign-in/sign-in-failures.js';

export interface NewPassword {
  userId: string;
  userName: string;
  passwordHash: string;
  mustChange: boolean;
  /** The session that goes on; all others end. */
  keepSessionId: string | null;
}

/** Sets a password and ends what was let in by the one before: sessions and API tokens, on every server at once since none remembers them. */
export async function setPassword(
  sql: Sql,
  { userId, userName, passwordHash, mustChange, keepSessionId }: NewPassword,
): Promise<EndedCredentials> {
  await sql.query('update users set password_hash = $2, must_change_password = $3 where id = $1', [userId, passwordHash, mustChange]);
  await forgetFailures(sql, userName);
  const sessions = await endSessions(sql, userId, keepSessionId);
  const tokens = await sql.query(
    'update api_tokens set revoked_at = clock_timestamp() where user_id = $1 and revoked_at is null returning id',
    [userId],
  );
  return { sessions, apiTokens: tokens.length };
}

/** Ends the sessions of a user, all but one; returns how many. */
export async function endSessions(sql: Sql, userId: string, keepSessionId: string | null = null): Promise<number> {
  const rows = await sql.query('delete from sessions where user_id = $1 and ($2::uuid is null or id <> $2) returning id', [
    userId,
    keepSessionId,
  ]);
  return rows.length;
}

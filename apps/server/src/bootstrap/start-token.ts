import { type Sql, uuidv7 } from '@medley/database';
import { isPlatformAdmin } from '../access/users/administrators.js';

/** Tokens of this kind are for setting up after a start, which takes minutes at most. */
const VALID_MINUTES = 60;
const NAME = 'npm start';

/**
 * Lets whoever started this server set things up for an hour: a token of the first administrator that can sign in, of which the starter told us
 * the SHA-256 only. Nothing happens when there is none, or when another server of the same start was quicker. Those of earlier starts that are
 * over are removed. To be called under a lock.
 */
export async function admitStarter(sql: Sql, tokenHash: Buffer): Promise<void> {
  await sql.query('delete from api_tokens where name = $1 and expires_at < clock_timestamp()', [NAME]);
  await sql.query(
    `insert into api_tokens (id, user_id, name, token_hash, scopes, expires_at)
     select $1, u.id, $2, $3, '{read,write,admin}', clock_timestamp() + make_interval(mins => $4) from users u
     where u.removed_at is null and u.disabled_at is null and ${isPlatformAdmin} order by u.created_at, u.id limit 1
     on conflict (token_hash) do nothing`,
    [uuidv7(), NAME, tokenHash, VALID_MINUTES],
  );
}

import { AppError, phrase } from '@medley/core';
import { inTransaction, type Sql, uuidv7 } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { readToldByProvider, recordToldByProvider } from '../../audit/sign-in-audit.js';
import { isUniqueViolation } from '../../database/database-faults.js';
import { synchroniseMemberships } from '../groups/directory-memberships.js';
import { openSession, type SignInOrigin } from '../sessions/open-session.js';
import type { ExternalIdentity } from './external-identity.js';

export interface ExternalSession {
  userId: string;
  /** What the session cookie is to hold. */
  token: string;
}

/** Signs in whom another system vouches for. */
@Injectable()
export class ExternalSignIn {
  constructor(@Inject(DataSource) private readonly source: DataSource) {}

  /**
   * Creates or refreshes the user, brings the memberships that its directory told in line, records what that changed, and opens a session.
   * Throws user-disabled, and user-name-clash when the name belongs to somebody else.
   */
  async signIn(identity: ExternalIdentity, origin: SignInOrigin): Promise<ExternalSession> {
    try {
      return await inTransaction(this.source, async (sql) => {
        const known = await findUser(sql, identity);
        const userId = known ?? uuidv7();
        const was = await readToldByProvider(sql, userId);
        await (known ? refreshUser : insertUser)(sql, userId, identity);
        if (identity.groups) await synchroniseMemberships(sql, userId, identity.groups);
        await recordToldByProvider(sql, origin, identity.source, was, await readToldByProvider(sql, userId));
        return { userId, token: await openSession(sql, userId, identity.source, origin) };
      });
    } catch (error) {
      if (isUniqueViolation(error, 'users_name')) {
        throw new AppError('user-name-clash', phrase('user-name-of-another', { name: identity.userName }));
      }
      throw error;
    }
  }
}

/**
 * The user of that subject, locked; null when there is none yet. Two first sign-ins at once: the second one waits and finds it. A user whose issuer was
 * not written down yet belongs to the one that vouches for it first.
 */
async function findUser(sql: Sql, { source, issuer, subject }: ExternalIdentity): Promise<string | null> {
  await sql.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`user ${source} ${subject}`]);
  const [user] = await sql.query<{ id: string; disabled_at: Date | null }>(
    `select id, disabled_at from users where source = $1 and subject = $2 and (issuer is null or issuer = $3) and removed_at is null
     order by issuer nulls last limit 1 for update`,
    [source, subject, issuer],
  );
  if (!user) return null;
  if (user.disabled_at) throw new AppError('user-disabled', phrase('user-was-disabled'));
  return user.id;
}

/** Brings the user in line with what its source says of it now. */
async function refreshUser(sql: Sql, id: string, { issuer, userName, displayName, email }: ExternalIdentity): Promise<void> {
  // Renamed there to a name that is taken here: the old one stays, since the person is known by its subject.
  await sql.query(
    `update users u set display_name = coalesce($3, display_name), email = coalesce($4, email), issuer = coalesce($5, issuer),
       name = case when exists (select 1 from users o where lower(o.name) = lower($2) and o.removed_at is null and o.id <> u.id) then name else $2 end
     where u.id = $1`,
    [id, userName, displayName, email, issuer],
  );
}

async function insertUser(sql: Sql, id: string, identity: ExternalIdentity): Promise<void> {
  const { source, issuer, subject, userName, displayName, email } = identity;
  await sql.query('insert into users (id, name, display_name, email, source, issuer, subject) values ($1, $2, $3, $4, $5, $6, $7)', [
    id,
    userName,
    displayName ?? '',
    email,
    source,
    issuer,
    subject,
  ]);
}

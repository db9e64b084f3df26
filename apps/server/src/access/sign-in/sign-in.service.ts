import type { LoginRequest } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { verifyPassword } from '../passwords/passwords.js';
import { openSession, type SignInOrigin } from '../sessions/open-session.js';
import { hashToken } from '../tokens/secrets.js';
import type { PasswordDirectory } from './external-identity.js';
import { ExternalSignIn } from './external-sign-in.service.js';
import { countTry, forgiveTry, withdrawTry } from './sign-in-failures.js';

interface LocalUser {
  id: string;
  password_hash: string | null;
}

/** Sign-in by name and password, and sign-out. */
@Injectable()
export class SignInService {
  private readonly sql: Sql;
  private readonly directories: PasswordDirectory[] = [];

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(ExternalSignIn) private readonly external: ExternalSignIn,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  /** From now on asks this directory as well, for names that no local user has. */
  addDirectory(directory: PasswordDirectory): void {
    this.directories.push(directory);
  }

  /** Returns the session's token. Throws login-failed without telling whether the name or the password was wrong, and too-many-requests. */
  async signIn({ name, password }: LoginRequest, origin: SignInOrigin): Promise<string> {
    const thisTry = { name, address: origin.address };
    await countTry(this.sql, thisTry);
    const token = await this.open(name, password, origin).catch(async (error: unknown) => {
      // Nobody has judged the password: an outage of a directory must not lock those who try meanwhile.
      if (error instanceof AppError && error.kind === 'unavailable') await withdrawTry(this.sql, thisTry);
      throw error;
    });
    if (token === null) throw new AppError('login-failed', phrase('check-name-and-password'));
    await forgiveTry(this.sql, thisTry);
    return token;
  }

  async signOut(token: string): Promise<void> {
    await this.sql.query('delete from sessions where token_hash = $1', [hashToken(token)]);
  }

  private async open(name: string, password: string, origin: SignInOrigin): Promise<string | null> {
    const [user] = await this.sql.query<LocalUser>(
      `select id, password_hash from users where lower(name) = lower($1) and source = 'local' and removed_at is null and disabled_at is null`,
      [name],
    );
    const fits = await verifyPassword(password, user?.password_hash ?? null);
    if (user) return fits ? inTransaction(this.source, (sql) => openIfUnchanged(sql, user, origin)) : null;
    for (const directory of this.directories) {
      const identity = await directory.authenticate(name, password);
      if (identity) return (await this.external.signIn(identity, origin)).token;
    }
    return null;
  }
}

/** Null when the user was disabled or its password changed while it was being verified, since that ended its sessions. */
async function openIfUnchanged(sql: Sql, { id, password_hash }: LocalUser, origin: SignInOrigin): Promise<string | null> {
  const rows = await sql.query(
    'select 1 from users where id = $1 and password_hash = $2 and disabled_at is null and removed_at is null for update',
    [id, password_hash],
  );
  return rows.length === 0 ? null : openSession(sql, id, 'password', origin);
}

import type { LoginRequest } from '@medley/contracts';
import { AppError } from '@medley/core';
import { type Sql, sqlOutsideTransaction, uuidv7 } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AttemptLimiter } from './attempt-limiter.js';
import { verifyPassword } from './passwords.js';
import { generateToken, hashToken } from './secrets.js';

const WINDOW_MS = 5 * 60_000;
export const SESSION_SECONDS = 7 * 24 * 3600;

/** Sign-in and sign-out. Failures are limited per name and per address, each within five minutes. */
@Injectable()
export class SessionService {
  private readonly sql: Sql;
  private readonly perName = new AttemptLimiter(10, WINDOW_MS, () => performance.now());
  private readonly perAddress = new AttemptLimiter(30, WINDOW_MS, () => performance.now());

  constructor(@Inject(DataSource) source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  /** Returns the session's token. Throws login-failed without telling whether the name or the password was wrong. */
  async logIn({ name, password }: LoginRequest, address: string): Promise<string> {
    const nameAtAddress = `${address} ${name}`;
    if (this.perName.isExhausted(nameAtAddress) || this.perAddress.isExhausted(address)) {
      throw new AppError('too-many-requests', 'Too many failed sign-ins; wait five minutes.');
    }
    const [user] = await this.sql.query<{ id: string; password_hash: string }>(
      'select id, password_hash from users where name = $1 and disabled_at is null',
      [name],
    );
    if (!(await verifyPassword(password, user?.password_hash ?? null)) || !user) {
      this.perName.recordFailure(nameAtAddress);
      this.perAddress.recordFailure(address);
      throw new AppError('login-failed', 'Check both and try again.');
    }
    this.perName.clear(nameAtAddress);
    return this.openSession(user.id);
  }

  async logOut(token: string): Promise<void> {
    await this.sql.query('delete from sessions where token_hash = $1', [hashToken(token)]);
  }

  private async openSession(userId: string): Promise<string> {
    const token = generateToken('medley_session');
    await this.sql.query('delete from sessions where user_id = $1 and expires_at < clock_timestamp()', [userId]);
    await this.sql.query(
      `insert into sessions (id, user_id, token_hash, expires_at) values ($1, $2, $3, clock_timestamp() + make_interval(secs => $4))`,
      [uuidv7(), userId, hashToken(token), SESSION_SECONDS],
    );
    return token;
  }
}

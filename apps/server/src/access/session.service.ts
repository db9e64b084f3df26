import type { LoginRequest } from '@medley/contracts';
import { AppError } from '@medley/core';
import { SessionEntity, UserEntity, uuidv7 } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, IsNull, LessThan, type Repository } from 'typeorm';
import { AttemptLimiter } from './attempt-limiter.js';
import { verifyPassword } from './passwords.js';
import { generateToken, hashToken } from './secrets.js';

const WINDOW_MS = 5 * 60_000;
export const SESSION_SECONDS = 7 * 24 * 3600;

/** Sign-in and sign-out. Failures are limited per name and per address, each within five minutes. */
@Injectable()
export class SessionService {
  private readonly users: Repository<UserEntity>;
  private readonly sessions: Repository<SessionEntity>;
  private readonly perName = new AttemptLimiter(10, WINDOW_MS, () => performance.now());
  private readonly perAddress = new AttemptLimiter(30, WINDOW_MS, () => performance.now());

  constructor(@Inject(DataSource) source: DataSource) {
    this.users = source.getRepository(UserEntity);
    this.sessions = source.getRepository(SessionEntity);
  }

  /** Returns the session's token. Throws login-failed without telling whether the name or the password was wrong. */
  async logIn({ name, password }: LoginRequest, address: string): Promise<string> {
    const nameAtAddress = `${address} ${name}`;
    if (this.perName.isExhausted(nameAtAddress) || this.perAddress.isExhausted(address)) {
      throw new AppError('too-many-requests', 'Too many failed sign-ins; wait five minutes.');
    }
    const user = await this.users.findOneBy({ name, disabledAt: IsNull() });
    if (!(await verifyPassword(password, user?.passwordHash ?? null)) || !user) {
      this.perName.recordFailure(nameAtAddress);
      this.perAddress.recordFailure(address);
      throw new AppError('login-failed', 'Check both and try again.');
    }
    this.perName.clear(nameAtAddress);
    return this.openSession(user.id);
  }

  async logOut(token: string): Promise<void> {
    await this.sessions.delete({ tokenHash: hashToken(token) });
  }

  private async openSession(userId: string): Promise<string> {
    const token = generateToken('medley_session');
    await this.sessions.delete({ userId, expiresAt: LessThan(new Date()) });
    const expiresAt = () => `clock_timestamp() + interval '${SESSION_SECONDS} seconds'`;
    await this.sessions.insert({ id: uuidv7(), userId, tokenHash: hashToken(token), expiresAt });
    return token;
  }
}

import type { ChangePassword, EndedCredentials } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { inTransaction, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../caller.js';
import { countTry, forgiveTry } from '../sign-in/sign-in-failures.js';
import { requireGoodPassword } from './password-rules.js';
import { hashPassword, verifyPassword } from './passwords.js';
import { setPassword } from './set-password.js';

/** People changing their own password. */
@Injectable()
export class OwnPasswordService {
  constructor(@Inject(DataSource) private readonly source: DataSource) {}

  /** Throws password-wrong, password-weak and user-not-local; guesses of the current one are limited as sign-ins are. */
  async change(caller: Caller, { currentPassword, newPassword }: ChangePassword, address: string): Promise<EndedCredentials> {
    if (caller.source !== 'local') throw new AppError('user-not-local', phrase('own-password-elsewhere'));
    const sql = sqlOutsideTransaction(this.source);
    const thisTry = { name: caller.name, address };
    await countTry(sql, thisTry);
    const [user] = await sql.query<{ password_hash: string | null }>('select password_hash from users where id = $1', [caller.userId]);
    const currentHash = user?.password_hash ?? null;
    if (!(await verifyPassword(currentPassword, currentHash))) throw new AppError('password-wrong', phrase('type-current-password'));
    await forgiveTry(sql, thisTry);
    requireGoodPassword(newPassword, caller.name, 'newPassword');
    if (newPassword === currentPassword) throw new AppError('password-weak', phrase('password-unchanged'));
    const passwordHash = await hashPassword(newPassword);
    return inTransaction(this.source, async (tx) => {
      const [locked] = await tx.query<{ password_hash: string | null }>('select password_hash from users where id = $1 for update', [
        caller.userId,
      ]);
      if (locked?.password_hash !== currentHash) throw new AppError('password-wrong', phrase('password-changed-meanwhile'));
      const keepSessionId = caller.via === 'session' ? caller.credentialId : null;
      return setPassword(tx, { userId: caller.userId, userName: caller.name, passwordHash, mustChange: false, keepSessionId });
    });
  }
}

import type {
  ChangeUsers,
  CreatedUser,
  CreateUser,
  Page,
  PatchUser,
  ResetPassword,
  ResetPasswordAnswer,
  UserDetail,
  UserImpact,
  UserQuery,
  UsersChange,
  UserView,
} from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction, uuidv7 } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { RequestingCaller } from '../../audit/record-changes.js';
import { isUniqueViolation } from '../../database/database-faults.js';
import { type Idempotency, onceByKey } from '../../rest/idempotency.js';
import { requireGoodPassword } from '../passwords/password-rules.js';
import { hashPassword } from '../passwords/passwords.js';
import { endSessions, setPassword } from '../passwords/set-password.js';
import { forgetFailures } from '../sign-in/sign-in-failures.js';
import { generatePassword } from '../tokens/secrets.js';
import { keepingAnAdministrator } from './administrators.js';
import { changeUsers } from './change-users.js';
import { getUser, listUsers, noSuchUser, readUserImpact } from './users.repository.js';

interface LockedUser {
  name: string;
  source: string;
  disabled_at: Date | null;
}

/** Users as a platform administrator keeps them. */
@Injectable()
export class UsersService {
  private readonly sql: Sql;

  constructor(@Inject(DataSource) private readonly source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  list(query: UserQuery): Promise<Page<UserView>> {
    return listUsers(this.sql, query);
  }

  get(id: string): Promise<UserDetail> {
    return getUser(this.sql, id);
  }

  impact(id: string): Promise<UserImpact> {
    return readUserImpact(this.sql, id);
  }

  /** Throws name-taken and password-weak; a repetition with the same key is refused, since a generated password is shown once. */
  async create(body: CreateUser, idempotency: Idempotency | null): Promise<CreatedUser> {
    if (body.password !== undefined) requireGoodPassword(body.password, body.name);
    const password = body.password ?? generatePassword();
    const passwordHash = await hashPassword(password);
    try {
      const user = await inTransaction(this.source, (sql) =>
        onceByKey(sql, idempotency, () => insertUser(sql, body, passwordHash), 'secret'),
      );
      return { ...user, password: body.password === undefined ? password : null };
    } catch (error) {
      if (isUniqueViolation(error, 'users_name')) throw new AppError('name-taken', phrase('user-name-taken', { name: body.name }));
      throw error;
    }
  }

  /** Only what is given changes. Throws last-administrator. */
  async patch(id: string, patch: PatchUser): Promise<UserDetail> {
    const work = (sql: Sql) => patchUser(sql, id, patch);
    const takesAdminAway = patch.isAdmin === false || patch.disabled === true;
    await inTransaction(this.source, (sql) => (takesAdminAway ? keepingAnAdministrator(sql, () => work(sql)) : work(sql)));
    return this.get(id);
  }

  /** Throws validation-failed, stale-version and last-administrator. */
  changeMany(caller: RequestingCaller, change: ChangeUsers): Promise<UsersChange> {
    return inTransaction(this.source, (sql) => keepingAnAdministrator(sql, () => changeUsers(sql, caller, change)));
  }

  /** Throws user-not-local and password-weak. */
  async resetPassword(id: string, { password: given, mustChangePassword }: ResetPassword): Promise<ResetPasswordAnswer> {
    const password = given ?? generatePassword();
    const passwordHash = await hashPassword(password);
    await inTransaction(this.source, async (sql) => {
      const { name, source } = await lockUser(sql, id);
      if (source !== 'local') throw new AppError('user-not-local', phrase('password-elsewhere', { name, system: source }));
      requireGoodPassword(password, name);
      await setPassword(sql, { userId: id, userName: name, passwordHash, mustChange: mustChangePassword, keepSessionId: null });
    });
    return { password: given === undefined ? password : null };
  }

  async unlock(id: string): Promise<UserDetail> {
    const user = await this.get(id);
    await forgetFailures(this.sql, user.name);
    return { ...user, lockedUntil: null };
  }

  /** Its row stays for the history that names it; the name is free again. Throws last-administrator. */
  remove(id: string): Promise<UserImpact> {
    return inTransaction(this.source, (sql) => keepingAnAdministrator(sql, () => removeUser(sql, id)));
  }
}

async function insertUser(sql: Sql, body: CreateUser, passwordHash: string): Promise<UserDetail> {
  const id = uuidv7();
  await sql.query(
    'insert into users (id, name, display_name, email, is_admin, password_hash, must_change_password) values ($1, $2, $3, $4, $5, $6, $7)',
    [id, body.name, body.displayName, body.email, body.isAdmin, passwordHash, body.mustChangePassword],
  );
  return getUser(sql, id);
}

async function patchUser(sql: Sql, id: string, { displayName, email, isAdmin, disabled }: PatchUser): Promise<void> {
  await lockUser(sql, id);
  await sql.query(
    `update users set display_name = coalesce($2, display_name), email = case when $3 then $4 else email end, is_admin = coalesce($5, is_admin),
       disabled_at = case when $6::boolean is null then disabled_at when $6 then coalesce(disabled_at, clock_timestamp()) end
     where id = $1`,
    [id, displayName ?? null, email !== undefined, email ?? null, isAdmin ?? null, disabled ?? null],
  );
  if (disabled) await endSessions(sql, id);
}

async function removeUser(sql: Sql, id: string): Promise<UserImpact> {
  const { name } = await lockUser(sql, id);
  const impact = await readUserImpact(sql, id);
  for (const table of ['sessions', 'api_tokens', 'group_members', 'role_bindings', 'idempotency_keys']) {
    await sql.query(`delete from ${table} where user_id = $1`, [id]);
  }
  await forgetFailures(sql, name);
  await sql.query(
    `update users set removed_at = clock_timestamp(), password_hash = null, email = null, is_admin = false, must_change_password = false where id = $1`,
    [id],
  );
  return impact;
}

async function lockUser(sql: Sql, id: string): Promise<LockedUser> {
  const [user] = await sql.query<LockedUser>(
    'select name, source, disabled_at from users where id = $1 and removed_at is null for update',
    [id],
  );
  if (!user) throw noSuchUser();
  return user;
}

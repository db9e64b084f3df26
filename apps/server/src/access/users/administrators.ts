import { AppError, phrase } from '@medley/core';
import type { Sql } from '@medley/database';

const ADMINISTRATORS_LOCK = 7_236_020;

/** A condition on `users u`: by itself, or by one of its groups. */
export const isPlatformAdmin = `
(u.is_admin or exists (select 1 from group_members m join groups g on g.id = m.group_id where m.user_id = u.id and g.is_platform_admin))`;

/**
 * Does what may take a platform administrator away, one after the other over all servers. Throws last-administrator, and so undoes the transaction, when
 * nobody would be left who can sign in and administer.
 */
export async function keepingAnAdministrator<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
  await lockAdministrators(sql);
  const result = await work();
  if (await hasAdministrator(sql)) return result;
  throw new AppError('last-administrator', phrase('make-another-administrator'));
}

export async function lockAdministrators(sql: Sql): Promise<void> {
  await sql.query('select pg_advisory_xact_lock($1)', [ADMINISTRATORS_LOCK]);
}

export async function hasAdministrator(sql: Sql): Promise<boolean> {
  const rows = await sql.query(`select 1 from users u where u.removed_at is null and u.disabled_at is null and ${isPlatformAdmin} limit 1`);
  return rows.length > 0;
}

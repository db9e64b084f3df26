import type { Sql } from '@medley/database';
import { hasAdministrator, lockAdministrators } from '../users/administrators.js';

/**
 * Brings the memberships that a directory told in line with what it tells now; those added by hand stay. A membership that makes the last platform
 * administrator stays as well: a directory that forgets someone must not lock everybody out.
 */
export async function synchroniseMemberships(sql: Sql, userId: string, externalNames: readonly string[]): Promise<void> {
  const groups = await sql.query<{ id: string }>('select id from groups where external_name = any($1) order by id', [externalNames]);
  const ids = groups.map(({ id }) => id);
  const left = await sql.query<{ group_id: string }>(
    `select group_id from group_members where user_id = $1 and source = 'directory' and group_id <> all($2)`,
    [userId, ids],
  );
  await addDirectoryMemberships(sql, userId, ids);
  if (left.length === 0) return;
  const leftIds = left.map((row) => row.group_id);
  await lockAdministrators(sql);
  await sql.query(`delete from group_members where user_id = $1 and source = 'directory' and group_id = any($2)`, [userId, leftIds]);
  if (!(await hasAdministrator(sql))) await addDirectoryMemberships(sql, userId, leftIds);
}

async function addDirectoryMemberships(sql: Sql, userId: string, groupIds: readonly string[]): Promise<void> {
  if (groupIds.length === 0) return;
  await sql.query(
    `insert into group_members (group_id, user_id, source) select id, $1, 'directory' from unnest($2::uuid[]) as g(id) on conflict do nothing`,
    [userId, groupIds],
  );
}

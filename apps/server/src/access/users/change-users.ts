import type { ChangeUsers, UsersChange } from '@medley/contracts';
import { AppError, inEnglish, phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import { type RequestingCaller, recordChanges } from '../../audit/record-changes.js';
import { userFilter, userFilterValues } from './users.repository.js';

const MOST_AT_ONCE = 1000;

interface FoundUser {
  id: string;
  name: string;
  isOther: boolean;
  sessions: number;
}

/**
 * Disables or enables the users that the filter finds, in one transaction, and writes each into the audit beside the event of the whole. The caller itself stays.
 * Throws validation-failed for too many, and stale-version when more would change than was told.
 */
export async function changeUsers(
  sql: Sql,
  caller: RequestingCaller,
  { filter, disabled, expected, dryRun }: ChangeUsers,
): Promise<UsersChange> {
  const found = await sql.query<FoundUser>(
    `select u.id, u.name, (u.disabled_at is not null) <> $4 as "isOther",
       (select count(*)::int from sessions s where s.user_id = u.id and s.expires_at > clock_timestamp()) as sessions
     from users u where u.removed_at is null and ${userFilter} order by u.id ${dryRun ? '' : 'for update of u'}`,
    [...userFilterValues(filter), disabled],
  );
  const wanted = found.filter(({ isOther }) => isOther);
  const changed = wanted.filter(({ id }) => id !== caller.userId);
  if (!dryRun) {
    requireAsTold(changed.length, expected);
    await switchUsers(sql, caller, changed, disabled);
  }
  return {
    dryRun,
    found: found.length,
    changed: changed.length,
    sessions: disabled ? changed.reduce((sum, { sessions }) => sum + sessions, 0) : 0,
    refused: wanted.filter(({ id }) => id === caller.userId).map(({ id, name }) => ({ userId: id, name, ...ownAccount })),
  };
}

const ownAccount = { code: 'own-account-stays', text: inEnglish(phrase('own-account-stays')) };

function requireAsTold(count: number, told: number | undefined): void {
  if (count > MOST_AT_ONCE) throw new AppError('validation-failed', phrase('users-too-many', { limit: MOST_AT_ONCE }));
  if (told !== undefined && count > told) throw new AppError('stale-version', phrase('user-count-changed', { now: count, told }));
}

async function switchUsers(sql: Sql, caller: RequestingCaller, users: readonly FoundUser[], disabled: boolean): Promise<void> {
  const ids = users.map(({ id }) => id);
  await sql.query('update users set disabled_at = case when $2 then clock_timestamp() end where id = any($1)', [ids, disabled]);
  if (disabled) await sql.query('delete from sessions where user_id = any($1)', [ids]);
  const changes = users.map(({ id, name }) => ({ id, name, projectId: null, before: { disabled: !disabled }, after: { disabled } }));
  await recordChanges(sql, caller, { action: 'patchUser', entity: 'user' }, changes);
}

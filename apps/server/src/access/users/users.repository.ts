import type { Page, UserDetail, UserImpact, UserQuery, UserView } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import { answerRow } from '../../rest/answer-row.js';
import { listKind } from '../../rest/cursor.js';
import { listOrder, pageOfSorted, type SortColumn, type SortedRow } from '../../rest/sorted-list.js';
import { lockedAccounts } from '../sign-in/sign-in-failures.js';
import { isPlatformAdmin } from './administrators.js';

const userSelect = (more: string | null) => `
select ${more === null ? '' : `${more} as "sortText",`} u.id, u.name, u.display_name as "displayName", u.email, u.source, u.is_admin as "isAdmin", ${isPlatformAdmin} as "isPlatformAdmin",
  u.must_change_password as "mustChangePassword",
  coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.name) from groups g
    where exists (select 1 from group_members m where m.group_id = g.id and m.user_id = u.id)), '[]') as groups,
  u.created_at as "createdAt", u.last_sign_in_at as "lastSignInAt", u.disabled_at as "disabledAt"
from users u where u.removed_at is null`;

interface UserRow {
  id: string;
  name: string;
}

const sortColumns: Record<string, SortColumn> = {
  name: { sql: 'lower(u.name)', type: 'text' },
  displayName: { sql: 'lower(u.display_name)', type: 'text' },
  source: { sql: 'u.source', type: 'text' },
  created: { sql: 'u.created_at', type: 'timestamptz' },
  lastSignIn: { sql: `coalesce(u.last_sign_in_at, '-infinity')`, type: 'timestamptz' },
};

/** A condition on `users u`, of the parameters 1 to 3. */
export const userFilter = `($1::text is null or u.source = $1) and ($2::boolean is null or (u.disabled_at is not null) = $2)
  and ($3::text is null or position(lower($3) in lower(concat_ws(' ', u.name, u.display_name, u.email))) > 0)`;
export const userFilterValues = ({ source, disabled, search }: Pick<UserQuery, 'source' | 'disabled' | 'search'>) => [
  source ?? null,
  disabled ?? null,
  search ?? null,
];

/** Names are sorted whatever their case. */
export async function listUsers(sql: Sql, query: UserQuery): Promise<Page<UserView>> {
  const kind = listKind('users', query);
  const order = listOrder(sortColumns, query.sort, { kind, cursor: query.cursor, id: 'u.id' });
  const rows = await sql.query<UserRow & SortedRow>(
    `${userSelect(order.select)} and ${userFilter} and ${order.after(4, 5)} order by ${order.orderBy} limit $6`,
    [...userFilterValues(query), ...order.position, query.limit + 1],
  );
  const locks = await lockedAccounts(
    sql,
    rows.map(({ name }) => name),
  );
  return pageOfSorted(rows, query.limit, kind, (row) => userViewOf(row, locks));
}

/** Throws not-found. */
export async function getUser(sql: Sql, id: string): Promise<UserDetail> {
  const [row] = await sql.query<UserRow>(`${userSelect(null)} and u.id = $1`, [id]);
  if (!row) throw noSuchUser();
  const roles = await sql.query<object>(
    `select b.project_id as "projectId", p.name as project, b.role, b.group_name as group from (
       select project_id, role, null as group_name from role_bindings where user_id = $1
       union all select r.project_id, r.role, g.name from role_bindings r join groups g on g.id = r.group_id
         where exists (select 1 from group_members m where m.group_id = g.id and m.user_id = $1)
     ) b join projects p on p.id = b.project_id where p.removed_at is null order by p.name, b.group_name nulls first`,
    [id],
  );
  return { ...userViewOf(row, await lockedAccounts(sql, [row.name])), roles: roles as UserDetail['roles'] };
}

/** Throws not-found. */
export async function readUserImpact(sql: Sql, id: string): Promise<UserImpact> {
  const [row] = await sql.query<UserImpact>(
    `select (select count(*)::int from sessions where user_id = u.id and expires_at > clock_timestamp()) as sessions,
       (select count(*)::int from api_tokens where user_id = u.id and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())) as "apiTokens",
       (select count(distinct group_id)::int from group_members where user_id = u.id) as groups,
       (select count(*)::int from role_bindings where user_id = u.id) as roles
     from users u where u.id = $1 and u.removed_at is null`,
    [id],
  );
  if (!row) throw noSuchUser();
  return row;
}

export function noSuchUser(): AppError {
  return new AppError('not-found', phrase('no-such-user'));
}

function userViewOf(row: UserRow, locks: ReadonlyMap<string, Date>): UserView {
  return { ...answerRow<UserView>(row), lockedUntil: locks.get(row.name)?.toISOString() ?? null };
}

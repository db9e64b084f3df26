import type { GroupMember, GroupQuery, GroupView, Page, PageQuery } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import { answerRow } from '../../rest/answer-row.js';
import { decodeCursor, listKind, pageOfRows } from '../../rest/cursor.js';
import { listOrder, pageOfSorted, type SortColumn, type SortedRow } from '../../rest/sorted-list.js';

const groupSelect = `
select g.id, g.name, g.description, g.external_name as "externalName", g.is_platform_admin as "isPlatformAdmin",
  (select count(distinct m.user_id)::int from group_members m where m.group_id = g.id) as "memberCount",
  (select count(*)::int from role_bindings b where b.group_id = g.id) as "projectCount", g.created_at as "createdAt"
from groups g`;

const memberSelect = `
select u.id as "userId", u.name, u.display_name as "displayName", u.disabled_at as "disabledAt", array_agg(m.source order by m.source desc) as sources
from group_members m join users u on u.id = m.user_id`;

const sortColumns: Record<string, SortColumn> = {
  name: { sql: 'lower(g.name)', type: 'text' },
  members: { sql: 'g."memberCount"', type: 'int' },
  projects: { sql: 'g."projectCount"', type: 'int' },
  created: { sql: 'g."createdAt"', type: 'timestamptz' },
};

/** Names are sorted whatever their case. */
export async function listGroups(sql: Sql, query: GroupQuery): Promise<Page<GroupView>> {
  const kind = listKind('groups', query);
  const order = listOrder(sortColumns, query.sort, { kind, cursor: query.cursor, id: 'g.id' });
  const rows = await sql.query<SortedRow>(
    `select g.*, ${order.select} as "sortText" from (${groupSelect}) g where ($1::text is null or position(lower($1) in lower(g.name)) > 0)
       and ${order.after(2, 3)} order by ${order.orderBy} limit $4`,
    [query.search ?? null, ...order.position, query.limit + 1],
  );
  return pageOfSorted(rows, query.limit, kind, (row) => answerRow<GroupView>(row));
}

/** Throws not-found. */
export async function getGroup(sql: Sql, id: string): Promise<GroupView> {
  const [row] = await sql.query<object>(`${groupSelect} where g.id = $1`, [id]);
  if (!row) throw noSuchGroup();
  return answerRow<GroupView>(row);
}

/** Throws not-found. */
export async function listGroupMembers(sql: Sql, groupId: string, { limit, cursor }: PageQuery): Promise<Page<GroupMember>> {
  await getGroup(sql, groupId);
  const kind = listKind(`group-members ${groupId}`, {});
  const rows = await sql.query<{ name: string }>(
    `${memberSelect} where m.group_id = $1 and ($2::text is null or lower(u.name) > $2) group by u.id order by lower(u.name) limit $3`,
    [groupId, decodeCursor(kind, cursor, 1)?.[0] ?? null, limit + 1],
  );
  return pageOfRows(
    rows,
    limit,
    kind,
    (row) => [row.name.toLowerCase()],
    (row) => answerRow<GroupMember>(row),
  );
}

export async function getGroupMember(sql: Sql, groupId: string, userId: string): Promise<GroupMember> {
  const [row] = await sql.query<object>(`${memberSelect} where m.group_id = $1 and m.user_id = $2 group by u.id`, [groupId, userId]);
  if (!row) throw new AppError('not-found', phrase('no-such-group-member'));
  return answerRow<GroupMember>(row);
}

export function noSuchGroup(): AppError {
  return new AppError('not-found', phrase('no-such-group'));
}

import {
  type MemberCandidates,
  type MemberQuery,
  type Page,
  type Principal,
  type ProjectMember,
  projectRoleSchema,
} from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import { answerRow } from '../../rest/answer-row.js';
import { listKind } from '../../rest/cursor.js';
import { listOrder, pageOfSorted, type SortColumn, type SortedRow } from '../../rest/sorted-list.js';

const SHOWN_CANDIDATES = 20;

const memberSelect = `
select b.id, b.project_id as "projectId",
  json_build_object('kind', case when b.user_id is null then 'group' else 'user' end, 'id', coalesce(u.id, g.id), 'name', coalesce(u.name, g.name),
    'displayName', coalesce(u.display_name, g.description)) as principal,
  b.role, c.name as "createdBy", b.created_at as "createdAt"
from role_bindings b left join users u on u.id = b.user_id left join groups g on g.id = b.group_id left join users c on c.id = b.created_by`;

const sortColumns: Record<string, SortColumn> = {
  name: { sql: `lower(m.principal->>'name')`, type: 'text' },
  kind: { sql: `m.principal->>'kind'`, type: 'text' },
  role: { sql: `array_position('{${projectRoleSchema.options.join()}}'::text[], m.role)`, type: 'int' },
  created: { sql: 'm."createdAt"', type: 'timestamptz' },
};

export async function listMembers(sql: Sql, projectId: string, query: MemberQuery): Promise<Page<ProjectMember>> {
  const kind = listKind(`members ${projectId}`, query);
  const order = listOrder(sortColumns, query.sort, { kind, cursor: query.cursor, id: 'm.id' });
  const rows = await sql.query<SortedRow>(
    `select m.*, ${order.select} as "sortText" from (${memberSelect} where b.project_id = $1) m where ${order.after(2, 3)}
     order by ${order.orderBy} limit $4`,
    [projectId, ...order.position, query.limit + 1],
  );
  return pageOfSorted(rows, query.limit, kind, (row) => answerRow<ProjectMember>(row));
}

/** Throws not-found. */
export async function getMember(sql: Sql, projectId: string, id: string): Promise<ProjectMember> {
  const [row] = await sql.query<object>(`${memberSelect} where b.project_id = $1 and b.id = $2`, [projectId, id]);
  if (!row) throw new AppError('not-found', phrase('no-such-member'));
  return answerRow<ProjectMember>(row);
}

/** Groups first. */
export async function listCandidates(sql: Sql, search: string): Promise<MemberCandidates> {
  const items = await sql.query<Principal>(
    `select * from (
       select 'group' as kind, id, name, description as "displayName" from groups where position(lower($1) in lower(name)) > 0
       union all select 'user', id, name, display_name from users
         where removed_at is null and disabled_at is null and position(lower($1) in lower(concat_ws(' ', name, display_name))) > 0
     ) c order by kind, lower(name) limit $2`,
    [search, SHOWN_CANDIDATES],
  );
  return { items };
}

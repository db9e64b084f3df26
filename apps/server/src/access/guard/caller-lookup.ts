import type { UserSource } from '@medley/contracts';
import { type ProjectRole, type Rights, strongerRole, type TokenScope, tokenScopes } from '@medley/core';
import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../caller.js';
import { hashToken } from '../tokens/secrets.js';
import { isPlatformAdmin } from '../users/administrators.js';

interface CallerRow {
  id: string;
  user_id: string;
  name: string;
  display_name: string;
  email: string | null;
  source: UserSource;
  must_change_password: boolean;
  is_platform_admin: boolean;
  /** Every role by itself and by its groups: [project, role]. */
  roles: [string, ProjectRole][];
  existing_projects: string[] | null;
  scopes: TokenScope[] | null;
  project_id: string | null;
  expires_at: Date | null;
  used_lately: boolean;
}

const userColumns = `
u.id as user_id, u.name, u.display_name, u.email, u.source, u.must_change_password, ${isPlatformAdmin} as is_platform_admin,
case when exists (select 1 from projects where removed_at is not null)
  then array(select id from projects where removed_at is null order by id) end as existing_projects,
coalesce((
  select jsonb_agg(jsonb_build_array(b.project_id, b.role)) from (
    select project_id, role from role_bindings where user_id = u.id
    union all select g.project_id, g.role from group_members m join role_bindings g on g.group_id = m.group_id where m.user_id = u.id
  ) b join projects p on p.id = b.project_id where p.removed_at is null
), '[]') as roles`;

const bySession = `
select s.id, null as scopes, null as project_id, s.expires_at, s.last_seen_at > clock_timestamp() - interval '1 minute' as used_lately, ${userColumns}
from sessions s join users u on u.id = s.user_id
where s.token_hash = $1 and s.expires_at > clock_timestamp() and u.disabled_at is null and u.removed_at is null`;

const tokenSelect = `
select t.id, t.scopes, t.project_id, t.expires_at, coalesce(t.last_used_at > clock_timestamp() - interval '1 minute', false) as used_lately, ${userColumns}
from api_tokens t join users u on u.id = t.user_id
where t.revoked_at is null and (t.expires_at is null or t.expires_at > clock_timestamp()) and u.disabled_at is null
  and u.removed_at is null and (t.project_id is null or exists (select 1 from projects p where p.id = t.project_id and p.removed_at is null))`;
const byToken = `${tokenSelect} and t.token_hash = $1`;
const byTokenId = `${tokenSelect} and t.id = $1`;

/**
 * Finds who stands behind a session cookie or an API token, and what that user may do now. Nothing is remembered between calls: what was revoked on one server
 * is refused by all at once. Only hashes are stored, so the look-up is by hash.
 */
@Injectable()
export class CallerLookup {
  private readonly sql: Sql;

  constructor(@Inject(DataSource) source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  async bySession(token: string): Promise<Caller | null> {
    const [row] = await this.sql.query<CallerRow>(bySession, [hashToken(token)]);
    if (!row) return null;
    if (!row.used_lately) await this.sql.query('update sessions set last_seen_at = clock_timestamp() where id = $1', [row.id]);
    return callerOf(row, 'session');
  }

  async byApiToken(token: string): Promise<Caller | null> {
    const [row] = await this.sql.query<CallerRow>(byToken, [hashToken(token)]);
    if (!row) return null;
    if (!row.used_lately) await this.sql.query('update api_tokens set last_used_at = clock_timestamp() where id = $1', [row.id]);
    return callerOf(row, 'token');
  }
}

/** What a user may do at this moment, without the limits of any token; null for one who is disabled or removed. For work that goes on after its call. */
export async function rightsOfUser(sql: Sql, userId: string): Promise<Rights | null> {
  const [row] = await sql.query<Pick<CallerRow, 'is_platform_admin' | 'roles' | 'existing_projects'>>(
    `select ${userColumns} from users u where u.id = $1 and u.disabled_at is null and u.removed_at is null`,
    [userId],
  );
  if (!row) return null;
  return {
    isPlatformAdmin: row.is_platform_admin,
    roles: rolesOf(row),
    existingProjects: row.existing_projects,
    scopes: tokenScopes,
    tokenProjectId: null,
  };
}

/** What an API token may do at this moment; null for one that is revoked or has expired, or whose user is gone. For work that goes on after its call. */
export async function rightsOfToken(sql: Sql, tokenId: string): Promise<Rights | null> {
  const [row] = await sql.query<CallerRow>(byTokenId, [tokenId]);
  return row ? callerOf(row, 'token') : null;
}

function rolesOf(row: Pick<CallerRow, 'roles'>): Map<string, ProjectRole> {
  const roles = new Map<string, ProjectRole>();
  for (const [projectId, role] of row.roles) roles.set(projectId, strongerRole(roles.get(projectId) ?? null, role)!);
  return roles;
}

function callerOf(row: CallerRow, via: Caller['via']): Caller {
  return {
    userId: row.user_id,
    name: row.name,
    displayName: row.display_name,
    email: row.email,
    source: row.source,
    mustChangePassword: row.must_change_password,
    isPlatformAdmin: row.is_platform_admin,
    roles: rolesOf(row),
    existingProjects: row.existing_projects,
    via,
    credentialId: row.id,
    scopes: via === 'session' ? tokenScopes : (row.scopes ?? []),
    tokenProjectId: row.project_id,
    expiresAt: row.expires_at,
  };
}

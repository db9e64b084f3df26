import type { CreateGroup, GroupMember, GroupQuery, GroupView, Page, PageQuery, PatchGroup } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction, uuidv7 } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isUniqueViolation } from '../../database/database-faults.js';
import { type Idempotency, onceByKey } from '../../rest/idempotency.js';
import { keepingAnAdministrator } from '../users/administrators.js';
import { getGroup, getGroupMember, listGroupMembers, listGroups, noSuchGroup } from './groups.repository.js';

/** Groups of users, whose roles their members have. */
@Injectable()
export class GroupsService {
  private readonly sql: Sql;

  constructor(@Inject(DataSource) private readonly source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  list(query: GroupQuery): Promise<Page<GroupView>> {
    return listGroups(this.sql, query);
  }

  get(id: string): Promise<GroupView> {
    return getGroup(this.sql, id);
  }

  members(id: string, query: PageQuery): Promise<Page<GroupMember>> {
    return listGroupMembers(this.sql, id, query);
  }

  /** Throws name-taken, also for an external name that another group answers to. */
  create(body: CreateGroup, idempotency: Idempotency | null): Promise<GroupView> {
    return namingGroup(() => inTransaction(this.source, (sql) => onceByKey(sql, idempotency, () => insertGroup(sql, body))));
  }

  /** Only what is given changes. Throws name-taken and last-administrator. */
  async patch(id: string, patch: PatchGroup): Promise<GroupView> {
    const work = (sql: Sql) => patchGroup(sql, id, patch);
    const takesAdminAway = patch.isPlatformAdmin === false;
    await namingGroup(() =>
      inTransaction(this.source, (sql) => (takesAdminAway ? keepingAnAdministrator(sql, () => work(sql)) : work(sql))),
    );
    return this.get(id);
  }

  /** Its memberships and roles go with it. Throws last-administrator. */
  async remove(id: string): Promise<void> {
    await inTransaction(this.source, (sql) =>
      keepingAnAdministrator(sql, async () => {
        const removed = await sql.query('delete from groups where id = $1 returning id', [id]);
        if (removed.length === 0) throw noSuchGroup();
      }),
    );
  }

  /** Once more changes nothing. Throws not-found. */
  addMember(id: string, userId: string): Promise<GroupMember> {
    return inTransaction(this.source, async (sql) => {
      await getGroup(sql, id);
      const users = await sql.query('select 1 from users where id = $1 and removed_at is null for key share', [userId]);
      if (users.length === 0) throw new AppError('not-found', phrase('no-such-user'));
      await sql.query(`insert into group_members (group_id, user_id, source) values ($1, $2, 'manual') on conflict do nothing`, [
        id,
        userId,
      ]);
      return getGroupMember(sql, id, userId);
    });
  }

  /** Throws last-administrator, and membership-managed while a directory tells the membership. */
  async removeMember(id: string, userId: string): Promise<void> {
    await inTransaction(this.source, (sql) => keepingAnAdministrator(sql, () => removeManualMember(sql, id, userId)));
  }
}

async function removeManualMember(sql: Sql, groupId: string, userId: string): Promise<void> {
  const { sources, name } = await getGroupMember(sql, groupId, userId);
  if (!sources.includes('manual')) {
    throw new AppError('membership-managed', phrase('member-by-directory', { name }));
  }
  await sql.query(`delete from group_members where group_id = $1 and user_id = $2 and source = 'manual'`, [groupId, userId]);
}

async function insertGroup(sql: Sql, { name, description, externalName, isPlatformAdmin }: CreateGroup): Promise<GroupView> {
  const id = uuidv7();
  await sql.query('insert into groups (id, name, description, external_name, is_platform_admin) values ($1, $2, $3, $4, $5)', [
    id,
    name,
    description,
    externalName,
    isPlatformAdmin,
  ]);
  return getGroup(sql, id);
}

/** A group that no directory group stands behind any more, or another one, has no members from the former. */
async function patchGroup(sql: Sql, id: string, { name, description, externalName, isPlatformAdmin }: PatchGroup): Promise<void> {
  const [before] = await sql.query<{ external_name: string | null }>('select external_name from groups where id = $1 for update', [id]);
  if (!before) throw noSuchGroup();
  await sql.query(
    `update groups set name = coalesce($2, name), description = coalesce($3, description), external_name = case when $4 then $5 else external_name end,
       is_platform_admin = coalesce($6, is_platform_admin)
     where id = $1`,
    [id, name ?? null, description ?? null, externalName !== undefined, externalName ?? null, isPlatformAdmin ?? null],
  );
  if (externalName === undefined || externalName === before.external_name) return;
  await keepingAnAdministrator(sql, () => sql.query(`delete from group_members where group_id = $1 and source = 'directory'`, [id]));
}

async function namingGroup<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, 'groups_name')) throw new AppError('name-taken', phrase('group-name-taken'));
    if (isUniqueViolation(error, 'groups_external_name')) throw new AppError('name-taken', phrase('group-external-name-taken'));
    throw error;
  }
}
